/* SPDX-FileCopyrightText: The Sextant authors
   SPDX-License-Identifier: Apache-2.0

   Two functions of the C library that the agent must interpose and that cannot be written in C++.

   vfork: the child returns first, on the parent's stack, and would overwrite the frame of a C++ function. As the C library
   does, the return address is kept in a register. While the child borrows the parent's memory, the thread's block is out of
   sight (sextant_thread == 0) and sextant_borrowed says why. The kernel keeps each process's registers, so what was in rsi, rdx,
   r8 and r9 before the call is there for the parent afterwards.

   syscall: only SYS_seccomp takes a detour; the rest is the plain call.

   In the agent that records calls of the C library (SEXTANT_OSRT) the parent tells when vfork began, which r10 keeps, and
   futex and io_uring_enter take a detour, too. */

	.text

	.globl	vfork
	.type	vfork, @function
vfork:
	.cfi_startproc
#ifdef SEXTANT_OSRT
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	sextant_osrt_now
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	movq	%rax, %r10
#endif
	movq	sextant_thread@gottpoff(%rip), %rdx
	movq	%fs:(%rdx), %rsi
	movq	sextant_borrowed@gottpoff(%rip), %r8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %rdi
	movl	%fs:(%r8), %r9d
	movq	$0, %fs:(%rdx)
	incl	%fs:(%r8)
	movl	$58, %eax
	syscall
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rip, 0
	testq	%rax, %rax
	je	1f
	movl	%r9d, %fs:(%r8)
	movq	%rsi, %fs:(%rdx)
	cmpq	$-4095, %rax
	jae	2f
#ifdef SEXTANT_OSRT
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	movq	%r10, %rdi
	movq	%rax, %rsi
	call	sextant_osrt_vforked
	popq	%rax
	.cfi_adjust_cfa_offset -8
#endif
1:	ret
2:	negl	%eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	call	__errno_location@PLT
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	movl	%ecx, (%rax)
	movl	$-1, %eax
	cltq
	ret
	.cfi_endproc
	.size	vfork, .-vfork

	.globl	syscall
	.type	syscall, @function
syscall:
	.cfi_startproc
	cmpq	$317, %rdi
	je	4f
#ifdef SEXTANT_OSRT
	cmpq	$202, %rdi
	je	sextant_osrt_syscall
	cmpq	$426, %rdi
	je	sextant_osrt_syscall
#endif
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	movq	%r8, %r10
	movq	%r9, %r8
	movq	8(%rsp), %r9
	syscall
3:	cmpq	$-4095, %rax
	jae	5f
	ret
4:	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	sextant_seccomp
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	3b
5:	negl	%eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	call	__errno_location@PLT
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	movl	%ecx, (%rax)
	movq	$-1, %rax
	ret
	.cfi_endproc
	.size	syscall, .-syscall

	.section .note.GNU-stack,"",@progbits
