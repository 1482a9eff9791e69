//! Files as LLVM reads them: large ones are mapped, so that only the parts that somebody looks
//! at are read.

use std::ffi::{CString, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use llvm_sys::core::{
    LLVMCreateMemoryBufferWithContentsOfFile, LLVMDisposeMemoryBuffer, LLVMGetBufferSize,
    LLVMGetBufferStart,
};
use llvm_sys::prelude::LLVMMemoryBufferRef;

use super::take_message;

/// The content of a file.
pub(crate) struct MappedFile {
    raw: LLVMMemoryBufferRef,
}

// SAFETY: nothing changes a buffer until it is disposed of, which takes the only owner.
unsafe impl Send for MappedFile {}
// SAFETY: as above.
unsafe impl Sync for MappedFile {}

impl MappedFile {
    /// Opens a file; where that cannot be done, LLVM's words on it.
    pub fn open(file: &Path) -> Result<MappedFile, String> {
        let name = CString::new(file.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
        let (mut raw, mut error): (LLVMMemoryBufferRef, *mut c_char) =
            (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the name ends with a zero, and both results have a place.
        let failed = unsafe {
            LLVMCreateMemoryBufferWithContentsOfFile(name.as_ptr(), &mut raw, &mut error)
        };
        match failed {
            0 => Ok(MappedFile { raw }),
            // SAFETY: the message is LLVM's, and ours now.
            _ => Err(unsafe { take_message(error) }),
        }
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the buffer lives as long as `self`, and has so many bytes.
        unsafe {
            let start = LLVMGetBufferStart(self.raw);
            std::slice::from_raw_parts(start.cast(), LLVMGetBufferSize(self.raw))
        }
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        // SAFETY: nobody else has the buffer.
        unsafe { LLVMDisposeMemoryBuffer(self.raw) };
    }
}
