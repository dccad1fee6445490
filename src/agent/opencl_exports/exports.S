/* SPDX-FileCopyrightText: The Sextant authors
   SPDX-License-Identifier: Apache-2.0

   The exported functions of OpenCL. None knows its arguments: each goes on to where the tables of resolve.cpp say, with all
   registers and the stack as they were. A call that comes from within OpenCL's own library goes on to that library: the program
   did not make it. Until the first call of any, `sextant_cl_ours` leads to first_cl..., which has the tables filled. */

	.text

#if defined(__x86_64__)

	.macro	function name, number
	.globl	cl\name
	.type	cl\name, @function
cl\name:
.Lcl\name:
	.cfi_startproc
	endbr64
	movq	(%rsp), %r11
	subq	sextant_cl_library(%rip), %r11
	cmpq	sextant_cl_library_bytes(%rip), %r11
	jb	1f
	jmp	*sextant_cl_ours+8*\number(%rip)
1:	jmp	*sextant_cl_next+8*\number(%rip)
	.cfi_endproc
	.size	cl\name, .-cl\name
	.type	first_cl\name, @function
first_cl\name:
	.cfi_startproc
	endbr64
	leaq	.Lcl\name(%rip), %r11
	jmp	first_call
	.cfi_endproc
	.size	first_cl\name, .-first_cl\name
	.endm

	.macro	keep register
	pushq	\register
	.cfi_adjust_cfa_offset 8
	.endm
	.macro	restore register
	popq	\register
	.cfi_adjust_cfa_offset -8
	.endm

	/* r11: where to go afterwards. No function of OpenCL has an argument in a vector register. */
	.type	first_call, @function
first_call:
	.cfi_startproc
	keep	%rdi
	keep	%rsi
	keep	%rdx
	keep	%rcx
	keep	%r8
	keep	%r9
	keep	%r11
	call	sextant_cl_resolve
	restore	%r11
	restore	%r9
	restore	%r8
	restore	%rcx
	restore	%rdx
	restore	%rsi
	restore	%rdi
	jmp	*%r11
	.cfi_endproc
	.size	first_call, .-first_call

#elif defined(__aarch64__)

	.macro	load register, address
	adrp	\register, \address
	ldr	\register, [\register, :lo12:\address]
	.endm

	.macro	function name, number
	.globl	cl\name
	.type	cl\name, %function
cl\name:
.Lcl\name:
	.cfi_startproc
	hint	#34
	load	x16, sextant_cl_library
	sub	x17, x30, x16
	load	x16, sextant_cl_library_bytes
	cmp	x17, x16
	b.lo	1f
	load	x16, sextant_cl_ours+8*\number
	br	x16
1:	load	x16, sextant_cl_next+8*\number
	br	x16
	.cfi_endproc
	.size	cl\name, .-cl\name
	.type	first_cl\name, %function
first_cl\name:
	.cfi_startproc
	hint	#34
	adrp	x17, .Lcl\name
	add	x17, x17, :lo12:.Lcl\name
	b	first_call
	.cfi_endproc
	.size	first_cl\name, .-first_cl\name
	.endm

	/* x17: where to go afterwards. No function of OpenCL has an argument in a vector register. */
	.type	first_call, %function
first_call:
	.cfi_startproc
	stp	x29, x30, [sp, #-96]!
	.cfi_def_cfa_offset 96
	.cfi_offset 29, -96
	.cfi_offset 30, -88
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	stp	x8, x17, [sp, #80]
	bl	sextant_cl_resolve
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldp	x8, x17, [sp, #80]
	ldp	x29, x30, [sp], #96
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	br	x17
	.cfi_endproc
	.size	first_call, .-first_call

#endif

	.set	number, 0
	.macro	hooked name
	.altmacro
	numbered \name, %number
	.noaltmacro
	.set	number, number+1
	.endm
	.macro	numbered name, number
	function \name, \number
	.endm
	.macro	passed name
	.set	number, number+1
	.endm
#define SEXTANT_CL_HOOKED(name) hooked name
#define SEXTANT_CL_PASSED(name) passed name
#include "spool/opencl_functions.def"
#undef SEXTANT_CL_HOOKED
#undef SEXTANT_CL_PASSED

	/* Where the exported functions go. */
	.data
	.balign	8
	.globl	sextant_cl_ours
	.hidden	sextant_cl_ours
sextant_cl_ours:
#define SEXTANT_CL_HOOKED(name) .quad first_cl##name
#define SEXTANT_CL_PASSED(name) .quad 0
#include "spool/opencl_functions.def"
#undef SEXTANT_CL_HOOKED
#undef SEXTANT_CL_PASSED
	.size	sextant_cl_ours, .-sextant_cl_ours

	.section .note.GNU-stack,"",%progbits
