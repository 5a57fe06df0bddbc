//! What `policy!` makes the exports of a module from.

use crate::parameters::{utf8, Value};
use crate::{Failure, Frame, Policy, Result};
use core::cell::UnsafeCell;

/// The one policy of a module, and the text of the last failure. A module has one thread.
pub struct Module<P> {
    policy: UnsafeCell<P>,
    failure: UnsafeCell<[u8; 256]>,
}

unsafe impl<P> Sync for Module<P> {}

impl<P: Policy> Module<P> {
    pub const fn new() -> Self {
        Module { policy: UnsafeCell::new(P::NEW), failure: UnsafeCell::new([0; 256]) }
    }

    pub fn failure(&self) -> *const u8 {
        self.failure.get() as *const u8
    }

    /// # Safety
    /// The address must hold that many bytes, and no call may be under way.
    pub unsafe fn configure(&self, at: *const u8, bytes: usize) -> u32 {
        let policy = &mut *self.policy.get();
        for (name, value) in Value::new(core::slice::from_raw_parts(at, bytes)).items() {
            if let Err(f) = policy.parameter(name.text(&mut [0; 64]), value) {
                return self.code(Err(f));
            }
        }
        0
    }

    /// # Safety
    /// As with configure.
    pub unsafe fn dictionary(&self, at: *const u8, bytes: usize) -> u32 {
        let data = core::slice::from_raw_parts(at, bytes);
        let word = |i: usize| data.get(4 * i..4 * i + 4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
        let (first, n) = match (word(0), word(1)) {
            (Some(first), Some(n)) if n as usize <= (bytes - 8) / 4 => (first, n as usize),
            _ => return self.code(Err(Failure::BadFrame("expected texts, found too few bytes"))),
        };
        let (body, mut start) = (&data[8 + 4 * n..], 0);
        for i in 0..n {
            let end = word(2 + i).unwrap_or(0) as usize;
            match body.get(start..end) {
                Some(text) => (*self.policy.get()).text(first + i as u32, utf8(text)),
                None => return self.code(Err(Failure::BadFrame("expected texts one behind the other"))),
            }
            start = end;
        }
        0
    }

    /// # Safety
    /// The address must be that of a frame, and no call may be under way.
    #[inline(always)]
    pub unsafe fn answer(&self, frame: *const u8, keys: u32, point: fn(&mut P, &mut Frame) -> Result) -> u32 {
        let result = Frame::open(frame, keys).and_then(|mut f| point(&mut *self.policy.get(), &mut f));
        self.code(result)
    }

    fn code(&self, result: Result) -> u32 {
        let (code, text) = match result {
            Ok(()) => return 0,
            Err(Failure::BadFrame(text)) => (1, text),
            Err(Failure::BadConfig(text)) => (2, text),
            Err(Failure::CannotServe(text)) => (3, text),
        };
        let room = unsafe { &mut *self.failure.get() };
        let n = text.len().min(room.len() - 1);
        for (to, from) in room.iter_mut().zip(&text.as_bytes()[..n]) {
            *to = *from;
        }
        room[n] = 0;
        code
    }
}

/// The arena: everything behind the module's own data.
#[cfg(target_arch = "wasm32")]
pub fn reserve(bytes: u32) -> u32 {
    extern "C" {
        static __heap_base: u8;
    }
    let start = (unsafe { &__heap_base as *const u8 as u32 } + 63) & !63;
    let have = core::arch::wasm32::memory_size(0) << 16;
    if bytes > 0x7fff_0000 - start {
        return 0;
    }
    let lacking = (start + bytes).saturating_sub(have as u32);
    if lacking > 0 && core::arch::wasm32::memory_grow(0, (lacking as usize + 0xffff) >> 16) == usize::MAX {
        return 0;
    }
    start
}

/// Stops the module: a policy that goes on would answer nonsense.
pub fn stop() -> ! {
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
    #[cfg(not(target_arch = "wasm32"))]
    panic!("a policy stopped")
}

/// Makes a module of a [`Policy`]: its exports, its state, and its handler of panics, which stops the module. Each of
/// `points` is a function of the policy with the number of its keys; the build fails where they and the manifest differ.
#[macro_export]
macro_rules! policy {
    (policy: $policy:ty, manifest: $manifest:expr, points: [$($point:ident($keys:literal)),+ $(,)?] $(,)?) => {
        const MANIFEST: &str = $manifest;
        const _: () = $crate::manifest::check(MANIFEST, &[$((stringify!($point), $keys)),+]);
        static MANIFEST_TEXT: [u8; MANIFEST.len() + 1] = {
            let (mut text, mut i) = ([0; MANIFEST.len() + 1], 0);
            while i < MANIFEST.len() {
                text[i] = MANIFEST.as_bytes()[i];
                i += 1;
            }
            text
        };
        static MODULE: $crate::module::Module<$policy> = $crate::module::Module::new();

        #[no_mangle]
        pub extern "C" fn quern_abi() -> u32 {
            const VERSION: u32 = $crate::manifest::version(MANIFEST);
            VERSION
        }
        #[no_mangle]
        pub extern "C" fn quern_manifest() -> *const u8 {
            MANIFEST_TEXT.as_ptr()
        }
        #[no_mangle]
        pub extern "C" fn quern_error() -> *const u8 {
            MODULE.failure()
        }
        #[no_mangle]
        pub unsafe extern "C" fn quern_configure(at: *const u8, bytes: usize) -> u32 {
            MODULE.configure(at, bytes)
        }
        #[no_mangle]
        pub unsafe extern "C" fn quern_dictionary(at: *const u8, bytes: usize) -> u32 {
            MODULE.dictionary(at, bytes)
        }
        #[cfg(target_arch = "wasm32")]
        #[no_mangle]
        pub extern "C" fn quern_reserve(bytes: u32) -> u32 {
            $crate::module::reserve(bytes)
        }
        $(
            #[no_mangle]
            pub unsafe extern "C" fn $point(frame: *const u8) -> u32 {
                MODULE.answer(frame, $keys, <$policy as $crate::Policy>::$point)
            }
        )+
        #[cfg(all(target_arch = "wasm32", not(test)))]
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo) -> ! {
            $crate::module::stop()
        }
    };
}
