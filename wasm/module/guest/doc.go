// Package guest is what is done with a policy module that does not depend on what runs it: the arena, the frames that
// are laid out in it, texts, configuration, budgets of fuel, the meaning of return codes, the check of answers, the
// trial, and what an operator's settings make of what the module declares.
//
// An engine serves Running, one running copy of a module. Begin makes an Instance of that; an Evaluator answers the
// batches of a scheduler with instances. The memory of a module may be the engine's, which the views here look into,
// or lie apart, in another process's or page's reach: then the views are copies, and a Call says what changed in them.
//
// Nothing here locks: an instance, and an evaluator, belong to one goroutine.
package guest
