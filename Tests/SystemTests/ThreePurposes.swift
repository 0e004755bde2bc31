/// Lines of puckd's configuration: a purpose that everyone may ask for, one that is soon over, and one that is for others.
let threePurposes = """
    [purpose navigation]
    description = Guidance along a route
    seconds = 3600
    allow = any
    [purpose glance]
    description = One look
    seconds = 2
    allow = any
    [purpose rescue]
    description = For others
    seconds = 60
    allow = user:4294967000
    """
