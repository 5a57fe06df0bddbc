//! Jobs by their walltime, the shortest first. README.md has the formula.
#![no_std]

use quern::{Frame, Policy, Result, Value};

struct Sjf {
    waiting: f64,
}

impl Sjf {
    /// Who promises a walltime first, the shortest first, less what it has waited. Columns: walltime (0: none), submitted_at.
    fn order(&self, frame: &mut Frame) -> Result {
        let (walltime, submitted) = (frame.column(0), frame.column(1));
        frame.answer_each(|row| {
            let limit = walltime.at(row);
            if !(limit > 0.0) {
                return [1.0, 0.0];
            }
            [0.0, limit + self.waiting * submitted.at(row)]
        })
    }
}

impl Policy for Sjf {
    const NEW: Self = Sjf { waiting: 0.0 };

    fn parameter(&mut self, name: &str, value: Value) -> Result {
        if name == "waiting" {
            self.waiting = value.number();
        }
        Ok(())
    }

    fn app_order(&mut self, frame: &mut Frame) -> Result {
        self.order(frame)
    }

    fn ask_order(&mut self, frame: &mut Frame) -> Result {
        self.order(frame)
    }
}

quern::policy! {
    policy: Sjf,
    manifest: r#"{
        "name": "sjf",
        "version": "1.0.0",
        "abi": "1.3",
        "description": "Shortest job first, by the promised walltime; jobs without one last",
        "parameters": {
            "waiting": {
                "type": "number", "default": 0, "min": 0, "max": 1000,
                "description": "seconds of walltime that a second of waiting makes up for"
            }
        },
        "points": {
            "app.order": {"columns": ["walltime", "submitted_at"], "keys": 2, "depends": "row", "fallback": "fifo"},
            "ask.order": {"columns": ["walltime", "submitted_at"], "keys": 2, "depends": "row", "fallback": "fifo"}
        }
    }"#,
    points: [app_order(2), ask_order(2)],
}
