package main

// Alive implements program.Connection.
func (c *connection) Alive() error { return c.manager.Alive() }
