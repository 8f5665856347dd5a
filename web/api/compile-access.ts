import { queryOptions } from '@tanstack/react-query';

type CompileAccess = { readonly page: boolean };

/** Whether the compiler page may be used without signing in. The compile service has its own OpenAPI document. */
export const compileAccessQuery = queryOptions({
  queryKey: ['compile-access'],
  queryFn: async ({ signal }): Promise<CompileAccess> => {
    const response = await fetch('/compile/access', { signal });
    return response.ok ? ((await response.json()) as CompileAccess) : { page: false };
  },
});
