const endpoints: Readonly<Record<string, string>> = {
  'GET /': 'Information page',
  'GET /api': 'API information (this endpoint)',
  'GET /api/openapi.json': 'OpenAPI document',
  'GET /api/docs': 'API reference',
  'GET /metrics': 'Request metrics and statistics',
  'POST /compile': 'Compile a filter list (JSON response)',
  'POST /compile/stream': 'Compile with real-time progress (SSE)',
  'POST /compile/batch': 'Compile multiple filter lists in parallel',
  'GET /lists/{id}': 'Fetch a compiled list',
  'POST /diff': 'Compare two lists',
  'POST /validate': 'Validate rules for DNS filtering',
};

/** Works as it stands: nothing is downloaded for rules that stand in the request. */
export const exampleRequest = {
  configuration: {
    name: 'My Filter List',
    sources: [{ name: 'Example Source', source: '||ads.example.com^\n||ads.example.com^' }],
    transformations: ['Deduplicate', 'RemoveEmptyLines'],
  },
  benchmark: true,
};

/** What the service says of itself. */
export const serviceInfo = (version: string) => ({
  name: 'Weir',
  version,
  endpoints,
  example: { method: 'POST', url: '/compile', body: exampleRequest },
});
