package walk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"git-ralph/internal/test/gittest"
)

// A form is a date as somebody writes it, and what git is to make of it when it is 2026-11-28 12:00:00 UTC, a Saturday.
type form struct{ text, want string }

// documented are the forms of git's manual: of dates (date-formats), revisions, log, gc and its examples.
func documented() []form {
	return []form{
		{"1112911993 +0000", "2005-04-07 22:13:13"},
		{"@1112911993 +0200", "2005-04-07 22:13:13"},
		{"Thu, 07 Apr 2005 22:13:13 +0200", "2005-04-07 20:13:13"},
		{"Thu Apr 7 22:13:13 2005 -0500", "2005-04-08 03:13:13"},
		{"2005-04-07T22:13:13", "2005-04-07 22:13:13"},
		{"2005-04-07 22:13:13", "2005-04-07 22:13:13"},
		{"2005-04-07T22:13:13.019", "2005-04-07 22:13:13"},
		{"2005-04-07T22:13:13+02:00", "2005-04-07 20:13:13"},
		{"2005-04-07 22:13:13 +0200", "2005-04-07 20:13:13"},
		{"2005.04.07", "2005-04-07 12:00:00"},
		{"04/07/2005", "2005-04-07 12:00:00"},
		{"07.04.2005", "2005-04-07 12:00:00"},
		{"1979-02-26 18:30:00", "1979-02-26 18:30:00"},
		{"yesterday", "2026-11-27 12:00:00"},
		{"last Friday at noon", "2026-11-27 12:00:00"},
		{"5 minutes ago", "2026-11-28 11:55:00"},
		{"1 month 2 weeks 3 days 1 hour 1 second ago", "2026-10-11 10:59:59"},
		{"2 weeks ago", "2026-11-14 12:00:00"},
		{"2.weeks.ago", "2026-11-14 12:00:00"},
		{"1.minute.ago", "2026-11-28 11:59:00"},
		{"3.months.ago", "2026-08-28 12:00:00"},
		{"90 days", "2026-08-30 12:00:00"},
		{"last week", "2026-11-21 12:00:00"},
		{"last.year", "2025-11-28 12:00:00"},
		{"10.days", "2026-11-18 12:00:00"},
		{"now", "2026-11-28 12:00:00"},
		{"never", "1970-01-01 00:00:00"},
	}
}

// Every form of a date that git documents, and what people write besides, is read as it is meant, and in the documented forms what git
// gets is what was written.
func TestDates(t *testing.T) {
	forms := append(documented(), []form{
		{"today", "2026-11-28 00:00:00"},
		{"midnight", "2026-11-28 00:00:00"},
		{"noon yesterday", "2026-11-27 12:00:00"},
		{"yesterday.noon", "2026-11-27 12:00:00"},
		{"tea", "2026-11-27 17:00:00"},
		{"noon today", "2026-11-28 12:00:00"},
		{"6am yesterday", "2026-11-27 06:00:00"},
		{"3:00", "2026-11-28 03:00:00"},
		{"10pm", "2026-11-28 22:00:00"},
		{"10 PM yesterday", "2026-11-27 22:00:00"},
		{"5AM Jun 6", "2026-06-06 05:00:00"},
		{"Jun 6, 5AM", "2026-06-06 05:00:00"},
		{"Nov 27, 2026 12:30 PM", "2026-11-27 12:30:00"},
		{"28 Nov. 2024 9:00", "2024-11-28 09:00:00"},
		{"6AM, June 7, 2009", "2009-06-07 06:00:00"},
		{"July 5th", "2026-07-05 12:00:00"},
		{"5th of July", "2026-07-05 12:00:00"},
		{"the 1st of may 2024", "2024-05-01 12:00:00"},
		{"june", "2026-06-28 12:00:00"},
		{"in june", "2026-06-28 12:00:00"},
		{"from june", "2026-06-28 12:00:00"},
		{"Nov 14 2023", "2023-11-14 12:00:00"},
		{"14 Nov 2023", "2023-11-14 12:00:00"},
		{"Nov.14.2023", "2023-11-14 12:00:00"},
		{"14-nov-2023", "2023-11-14 12:00:00"},
		{"fri 27 nov 2026", "2026-11-27 12:00:00"},
		{"last tuesday", "2026-11-24 12:00:00"},
		{"last sat", "2026-11-21 12:00:00"},
		{"two weeks ago", "2026-11-14 12:00:00"},
		{"ten minutes ago", "2026-11-28 11:50:00"},
		{"2.years.3.months.ago", "2024-08-28 12:00:00"},
		{"-5 days", "2026-11-23 12:00:00"},
		{"0 days ago", "2026-11-28 12:00:00"},
		{"nov14 2023", "2023-11-14 12:00:00"},
		{"2days3hours ago", "2026-11-26 09:00:00"},
		{"24h", "2026-11-27 12:00:00"},
		{"7d", "2026-11-21 12:00:00"},
		{"2w", "2026-11-14 12:00:00"},
		{"24h ago", "2026-11-27 12:00:00"},
		{"1h30m", "2026-11-28 10:30:00"},
		{"30min", "2026-11-28 11:30:00"},
		{"5 min ago", "2026-11-28 11:55:00"},
		{"5.min.ago", "2026-11-28 11:55:00"},
		{"2 hrs ago", "2026-11-28 10:00:00"},
		{"45 secs", "2026-11-28 11:59:15"},
		{"100 years ago", "1926-11-28 12:00:00"},
		{"24000 days ago", "1961-03-14 12:00:00"},
		{"2024-02-29", "2024-02-29 12:00:00"},
		{"2024-2-9 7:05", "2024-02-09 07:05:00"},
		{"2000/02/29", "2000-02-29 12:00:00"},
		{"2026-11-28", "2026-11-28 12:00:00"},
		{"28.11.2026", "2026-11-28 12:00:00"},
		{"28.11.", "2026-11-28 12:00:00"},
		{"11/28", "2026-11-28 12:00:00"},
		{"13/02/2026", "2026-02-13 12:00:00"},
		{"28/2/08", "2008-02-28 12:00:00"},
		{"99-12-31", "1999-12-31 12:00:00"},
		{"1970-01-01", "1970-01-01 12:00:00"},
		{"2099-12-31", "2099-12-31 12:00:00"},
		{"20261127", "2026-11-27 12:00:00"},
		{"20261127 10:30", "2026-11-27 10:30:00"},
		{"20261127T103000", "2026-11-27 10:30:00"},
		{"20080214T203045.019-04:00", "2008-02-15 00:30:45"},
		{"2023-11-14T22:16:00Z", "2023-11-14 22:16:00"},
		{"2023-11-14T22:16Z", "2023-11-14 22:16:00"},
		{"2023-11-14t22:16:00z", "2023-11-14 22:16:00"},
		{"2023-11-14T22:16:00.12345678Z", "2023-11-14 22:16:00"},
		{"2023-11-14T22:16:60Z", "2023-11-14 22:17:00"},
		{"2026-11-26 24:00", "2026-11-27 00:00:00"},
		{"2026-11-27 10:00 EST", "2026-11-27 15:00:00"},
		{"2008-02-14 20:30:45 -05", "2008-02-15 01:30:45"},
		{"Tue Nov 14 22:16:00 2023 GMT", "2023-11-14 22:16:00"},
		{"@1700000000", "2023-11-14 22:13:20"},
		{"1700000000", "2023-11-14 22:13:20"},
		{"@5", "1970-01-01 00:00:05"},
		{"@0", "1970-01-01 00:00:00"},
		{" 2 days ago ", "2026-11-26 12:00:00"},
		{"5", "2026-11-05 12:00:00"},
		{"2024", "2024-11-28 12:00:00"},
	}...)
	chance := rand.New(rand.NewPCG(1, 1))
	for i, way := range slices.Repeat(writtenDays(), 9) {
		at := time.Date(1970+chance.IntN(56), 1, 1+i*4, i%24, i%60, i%60, 0, time.UTC)
		forms = append(forms, form{fmt.Sprintf(way, at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second()), at.Format(time.DateTime)})
	}
	const now = "2026-11-28 12:00:00"
	noon, err := time.Parse(time.DateTime, now)
	if err != nil {
		t.Fatal(err)
	}
	r := gittest.NewRepo(t).Setenv("GIT_TEST_DATE_NOW", fmt.Sprint(noon.Unix())).Setenv("TZ", "UTC")
	args := []string{"rev-parse"}
	for i, f := range forms {
		known, wrong := checkDate(f.text)
		if wrong != "" {
			t.Errorf("%q: %s", f.text, wrong)
		}
		if i < len(documented()) && known != strings.ToLower(f.text) {
			t.Errorf("%q became %q", f.text, known)
		}
		args = append(args, "--since="+known)
	}
	for i, line := range strings.Split(strings.TrimSpace(r.Git(args...)), "\n") {
		seconds := uint64(0)
		fmt.Sscanf(line, "--max-age=%d", &seconds)
		if got := time.Unix(int64(seconds), 0).UTC().Format(time.DateTime); got != forms[i].want {
			t.Errorf("%q is %s, want %s", forms[i].text, got, forms[i].want)
		}
	}
}

// What names no date, or one that no calendar or clock has, is refused with the reason. Of each, git makes some date.
func TestNoDates(t *testing.T) {
	for text, want := range map[string]string{
		"2026-13-45": "there is no day 2026-13-45", "2026/02/30": "there is no day 2026/02/30", "2026-02-29": "there is no day 2026-02-29",
		"20261345": "there is no day 2026-13-45", "30.02.2026": "there is no day 30.02.2026", "2026-00-10": "there is no day 2026-00-10",
		"2026-11-0": "there is no day 2026-11-0", "2026-13-05": "there is no day 2026-13-05", "31/04/2026": "there is no day 31/04/2026",
		"13/13/2026": "there is no day 13/13/2026", "11.28": "there is no day 11.28", "1.13.2026": "there is no day 1.13.2026", "0/0": "there is no day 0/0", "32.1.": "there is no day 32.1", "45.13": "there is no day 45.13",
		"2026-332": "2026-332 has no day", "2026-11": "2026-11 has no day", "11/2026": "11/2026 has no day", "2026.11": "2026.11 has no day",
		"2026-11-28-03": "there is no day 2026-11-28-03", "2026-01-01..2026-02-01": "2026-02-01 is a second date",
		"feb 30": "there is no February 30", "31 april 2026": "there is no April 31", "99999999999999999999-01-01": "there is no day 99999999999999999999-01-01",
		"1960-01-01": "git knows the years 1970 to 2099", "9999-01-01": "git knows the years 1970 to 2099", "1/1/1066": "git knows the years 1970 to 2099",
		"2026-11-28 25:00": "there is no time 25:00", "2026-11-28T10:61Z": "there is no time 10:61", "24:01": "there is no time 24:01", "10:00:61": "there is no time 10:00:61",
		"1:2:3:4": "there is no time 1:2:3:4", "30pm": "there is no hour 30", "20261128T256000": "there is no time 25:60:00",
		"2026-11-27T10": "10 after T is not a time of day", "20261128T1030": "1030 after T is not a time of day",
		"2026-11-27 1030": "1030 is not part of a date", "12345": "12345 is not part of a date", "1234567": "1234567 is not part of a date", "0": "0 is not part of a date",
		"2026-11-27 at 10": "10 is not part of a date", "2026-11-27 10h30": "30 is not part of a date", "last 2 weeks": `"last" has no unit after it`,
		"40": "40 is not part of a date", "dec 0002": "0002 is not part of a date", "12345678901": "12345678901 is not part of a date", "@99999999999999999999": "99999999999999999999 is not part of a date",
		"yesteday": `unknown word "yesteday"`, "foo": `unknown word "foo"`, "tomorrow": `unknown word "tomorrow"`, "next week": `unknown word "next"`,
		"5 minutes hence": `unknown word "hence"`, "this week": `unknown word "this"`, "a week ago": `unknown word "a"`,
		"eleven days ago": `unknown word "eleven"`, "the day before yesterday": `"day" has no number before it`, "3 o'clock": `unknown word "o"`,
		"10 a.m.": `unknown word "a"`, "2026-W48": `unknown word "W"`, "eod": `unknown word "eod"`, "gestern": `unknown word "gestern"`,
		"вчера": `unknown word "вчера"`, "２０２６-01-01": `unknown word "２０２６"`, "2026-W10": `unknown word "W"`, "5 fortnights": `unknown word "fortnights"`, "decembre": `unknown word "decembre"`,
		"t": `unknown word "t"`, "th": `unknown word "th"`, "v1.0": `unknown word "v"`, "HEAD~9": `unknown word "HEAD"`, "last release": `unknown word "release"`,
		"5 minutes from now": `git takes "from now" for "ago"`, "1.5 days ago": `"days" has no number before it`, "weeks ago": `"weeks" has no number before it`, "day": `"day" has no number before it`,
		"friday": `"friday" has no "last" before it`, "friday 13:00": `"friday" has no "last" before it`, "last": `"last" has no unit after it`, "one": `"one" has no unit after it`,
		"5 ago": "5 has no unit after it", "ago": "there is no date in it", "from the": "there is no date in it", "est": "there is no date in it",
		"": "there is no date in it", "?": "there is no date in it", "@": "there is no date in it", "  ": "there is no date in it",
		"30000 days ago": "30000 days are more than git counts", "99999.weeks.ago": "99999 weeks are more than git counts", "99999999999999999999s": "99999999999999999999 is not part of a date",
	} {
		if _, wrong := checkDate(text); wrong != want {
			t.Errorf("%q: %q, want %q", text, wrong, want)
		}
	}
}

// writtenDays are ways to write a day and a time of day with numbers; all but the last are documented.
func writtenDays() []string {
	return []string{
		"%04d-%02d-%02dT%02d:%02d:%02d", "%04d-%02d-%02d %02d:%02d:%02d +0000", "%d/%d/%d %d:%02d:%02d", "%d.%d.%d %d:%02d:%02d", "%04d%02d%02dT%02d%02d%02d",
		"%04d-%02d-%02dT%02d:%02d:%02d.019Z", "%[3]d.%[2]d.%[1]d %[4]d:%[5]d:%[6]d", "%02[3]d.%02[2]d.%[1]d, %[4]d:%[5]d:%[6]d", "%[4]d:%[5]d:%[6]d %[1]d-%[2]d-%[3]d +00:00",
	}
}

// In whatever way a day is written, those of the calendar are accepted and no others.
func TestDaysOfCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		year, month, day := rapid.IntRange(1970, 2099).Draw(t, "year"), rapid.IntRange(0, 15).Draw(t, "month"), rapid.IntRange(0, 35).Draw(t, "day")
		hour, minute, second := rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 70).Draw(t, "minute"), rapid.IntRange(0, 60).Draw(t, "second")
		exists := func(month, day int) bool {
			_, err := time.Parse("2006-1-2", fmt.Sprintf("%d-%d-%d", year, month, day))
			return err == nil
		}
		text := fmt.Sprintf(rapid.SampledFrom(writtenDays()).Draw(t, "form"), year, month, day, hour, minute, second)
		if _, wrong := checkDate(text); (wrong == "") != (exists(month, day) && minute < 60) {
			t.Errorf("%q: %q", text, wrong)
		}
		text = fmt.Sprintf("%d/%d/%d", month, day, year) // which git also reads as day/month
		if _, wrong := checkDate(text); (wrong == "") != (exists(month, day) || exists(day, month)) {
			t.Errorf("%q: %q", text, wrong)
		}
	})
}

// Whatever the text, what is accepted is accepted again, and git gets the same.
func TestAnyDate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([0-9]{1,8}|[-:/.@+ tz]|last|two|day|mon|feb|h|am|ago|yesterday| ){1,9}`)).Draw(t, "text")
		known, wrong := checkDate(text)
		if wrong != "" {
			return
		}
		if again, wrong := checkDate(known); again != known || wrong != "" {
			t.Errorf("%q became %q, then %q: %s", text, known, again, wrong)
		}
	})
}
