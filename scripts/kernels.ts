type Compiler = {
  main(
    words: readonly string[],
    system: { writeFile(name: string, contents: Uint8Array): void },
  ): Promise<{ error: Error | null; stderr: { toString(): string } }>;
};

/** Compiles kernels to WebAssembly and returns the source of a module with the binary as base64. */
export async function kernelsSource(entry: string): Promise<string> {
  // A variable keeps the type checker from resolving the import: the types of the package redefine globals.
  const name = 'assemblyscript/asc';
  const { default: compiler } = (await import(name)) as { default: Compiler };
  let code = '';
  const { error, stderr } = await compiler.main(
    [entry, '--outFile', 'kernels.wasm', '-O3', '--runtime', 'stub', '--enable', 'simd', '--noAssert'],
    {
      writeFile(_, contents) {
        code = Buffer.from(contents).toString('base64');
      },
    },
  );
  if (error) throw new Error(`the kernels do not compile: ${stderr.toString()}`);
  return `// Made by scripts/generate.ts from kernels/; do not edit.

/** WebAssembly, in base64. */
export const kernelCode =
  '${code}';
`;
}
