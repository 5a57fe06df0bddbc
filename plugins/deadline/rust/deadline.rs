//! Applications by the latest instant at which what is left of their work can start. README.md has the formula.
#![no_std]

use quern::{Frame, Policy, Result, Value};

/// The due time of applications that have none, and the bound of those that have.
const NEVER: f64 = 9007199254740992.0;

struct Deadline {
    duration: f64,
    parallel: f64,
}

/// A number of seconds, or what stands in for it.
fn seconds(v: f64, otherwise: f64) -> f64 {
    if v >= 0.0 && v < NEVER { v } else { otherwise }
}

/// Rounds up; v is from 0 to 2^53.
fn ceil(v: f64) -> f64 {
    let whole = v as u64 as f64;
    if whole < v { whole + 1.0 } else { whole }
}

impl Policy for Deadline {
    const NEW: Self = Deadline { duration: 60.0, parallel: 1.0 };

    fn parameter(&mut self, name: &str, value: Value) -> Result {
        match name {
            "duration" => self.duration = value.number(),
            "parallel" => self.parallel = value.number(),
            _ => {}
        }
        Ok(())
    }

    /// The latest start first; of equals, the one due first, then the one with more left to do. Who is never due comes
    /// last, and all such are alike.
    fn app_order(&mut self, frame: &mut Frame) -> Result {
        let (deadline, duration, pending) = (frame.column(0), frame.column(1), frame.column(2));
        frame.answer_each(|row| {
            let due = deadline.at(row);
            if !(due > -NEVER && due < NEVER) {
                return [NEVER, NEVER, 0.0];
            }
            let waves = ceil(seconds(pending.at(row), 0.0) / self.parallel);
            let left = waves * seconds(duration.at(row), self.duration);
            [due - left, due, -left]
        })
    }
}

quern::policy! {
    policy: Deadline,
    manifest: r#"{
        "name": "deadline",
        "version": "1.0.0",
        "abi": "1.0",
        "description": "Applications by the latest start of what is left of their work, from the tags deadline and duration",
        "parameters": {
            "duration": {
                "type": "number", "default": 60, "min": 0, "max": 1000000000,
                "description": "seconds that an ask runs, where the application has no tag duration"
            },
            "parallel": {
                "type": "integer", "default": 1, "min": 1, "max": 1000000,
                "description": "how many asks of an application run at once"
            }
        },
        "points": {
            "app.order": {
                "columns": ["tag:deadline=9007199254740992", "tag:duration=-1", "pending_asks"],
                "keys": 3, "depends": "row", "fallback": "fifo"
            }
        }
    }"#,
    points: [app_order(3)],
}
