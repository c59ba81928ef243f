package main

import (
	"fmt"
	"slices"
	"strings"
)

// platform is a system and a processor, by Go's names for them.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

// dashed is the form in the names of files.
func (p platform) dashed() string { return p.os + "-" + p.arch }

// supported lists the platforms that a release is for.
func supported() []string {
	return []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
}

// parsePlatforms reads platforms that are separated by spaces. Each must be a supported one.
func parsePlatforms(list string) ([]platform, error) {
	var platforms []platform
	for _, name := range strings.Fields(list) {
		if !slices.Contains(supported(), name) {
			return nil, fmt.Errorf("%q is not a platform of a release: %s", name, strings.Join(supported(), ", "))
		}
		system, arch, _ := strings.Cut(name, "/")
		platforms = append(platforms, platform{system, arch})
	}
	if len(platforms) == 0 {
		return nil, fmt.Errorf("no platform: %s", strings.Join(supported(), ", "))
	}
	return platforms, nil
}
