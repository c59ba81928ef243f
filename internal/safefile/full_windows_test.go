package safefile_test

func writeTooMuch(string) {}
