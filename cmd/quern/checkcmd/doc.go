// Package checkcmd holds the commands that check files: quern validate, quern test and quern schema.
package checkcmd
