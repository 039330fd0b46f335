package main

import (
	_ "time/tzdata" // the zones, for systems that have none
)
