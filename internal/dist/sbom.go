package main

import (
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// bom is a bill of materials in the form of CycloneDX 1.6, as far as we have something to say.
type bom struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Ref      string          `json:"bom-ref"`
	Type     string          `json:"type"`
	Name     string          `json:"name"`
	Version  string          `json:"version"`
	Hashes   []hash          `json:"hashes,omitempty"`
	Licences []licenceChoice `json:"licenses,omitempty"`
	Purl     string          `json:"purl,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licenceChoice struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// billOfMaterials lists the programs for p and the modules that each of them contains, which Go has written into it.
func (r release) billOfMaterials(p platform, programs []file, modules []module) ([]byte, error) {
	whole := component{
		Ref: "git-ralph", Type: "application", Name: "git-ralph", Version: r.version, Licences: choices([]string{"MIT"}),
		Purl: "pkg:generic/git-ralph@" + strings.ReplaceAll(r.version, "+", "%2B") + "?arch=" + p.arch + "&os=" + p.os,
	}
	b := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{r.date.Format(time.RFC3339), whole},
	}
	libraries := map[string]component{}
	parts := dependency{Ref: whole.Ref}
	for _, f := range programs {
		sum, err := sumOf(f.source)
		if err != nil {
			return nil, err
		}
		info, err := buildinfo.ReadFile(f.source)
		if err != nil {
			return nil, err
		}
		own := component{Ref: f.name, Type: "application", Name: f.name, Version: r.version, Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}}}
		b.Components = append(b.Components, own)
		parts.DependsOn = append(parts.DependsOn, own.Ref)
		linked, err := linkedModules(info, modules)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		uses := dependency{Ref: own.Ref}
		for _, c := range linked {
			libraries[c.Ref] = c
			uses.DependsOn = append(uses.DependsOn, c.Ref)
		}
		b.Dependencies = append(b.Dependencies, uses)
	}
	b.Dependencies = append(b.Dependencies, parts)
	for _, c := range libraries {
		b.Components = append(b.Components, c)
	}
	slices.SortFunc(b.Components, func(x, y component) int { return cmp.Compare(x.Ref, y.Ref) })
	return b.encode()
}

// encode writes b with a serial number that follows from the rest.
func (b bom) encode() ([]byte, error) {
	data, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	id := sha256.Sum256(data)
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // a UUID of version 8, whose meaning is ours
	b.SerialNumber = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	data, err = json.MarshalIndent(b, "", "  ")
	return append(data, '\n'), err
}

// linkedModules are the modules in a program, as components.
func linkedModules(info *buildinfo.BuildInfo, modules []module) ([]component, error) {
	linked := []component{libraryOf(standard, strings.TrimPrefix(info.GoVersion, "go"))}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		c := libraryOf(d.Path, d.Version)
		// Go's checksum of a module is a SHA-256 of its files' SHA-256.
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(d.Sum, "h1:"))
		if err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("%s has the checksum %q", d.Path, d.Sum)
		}
		c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum)}}
		linked = append(linked, c)
	}
	for i, c := range linked {
		at := slices.IndexFunc(modules, func(m module) bool { return m.path == c.Name && m.version == c.Version })
		if at < 0 {
			return nil, fmt.Errorf("it contains %s %s, whose licence was not looked for", c.Name, c.Version)
		}
		linked[i].Licences = choices(modules[at].ids())
	}
	return linked, nil
}

func libraryOf(path, version string) component {
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Ref: purl, Type: "library", Name: path, Version: version, Purl: purl}
}

func choices(ids []string) []licenceChoice {
	var list []licenceChoice
	for _, id := range ids {
		var c licenceChoice
		c.Licence.ID = id
		list = append(list, c)
	}
	return list
}
