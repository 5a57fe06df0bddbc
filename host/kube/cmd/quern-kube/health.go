package main

// Alive implements servecmd.Connection.
func (c *connection) Alive() error { return c.manager.Alive() }
