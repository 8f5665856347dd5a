type Compiler = {
  main(
    words: readonly string[],
    system: { writeFile(name: string, contents: Uint8Array): void },
  ): Promise<{ error: Error | null; stderr: { toString(): string } }>;
};

/** Kernels, compiled to WebAssembly, as a module that carries them as text. */
export async function kernelsSource(entry: string): Promise<string> {
  // By a name that the type checker does not follow: the package's types would change those of our own globals.
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
