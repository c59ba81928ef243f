// Package odb reads git's objects
package odb
