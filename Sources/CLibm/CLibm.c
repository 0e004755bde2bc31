#include "CLibm.h"
