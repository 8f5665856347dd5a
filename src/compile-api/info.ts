const endpoints: Readonly<Record<string, string>> = {
  'GET /': 'A page about this service',
  'GET /api': 'API information (this endpoint)',
  'GET /api/openapi.json': 'OpenAPI document of all of it',
  'GET /api/docs': 'API reference',
  'GET /metrics': 'Request metrics and statistics',
  'POST /compile': 'Compile a filter list (JSON response)',
  'POST /compile/stream': 'Compile with real-time progress (SSE)',
  'POST /compile/batch': 'Compile multiple filter lists in parallel',
  'GET /lists/{id}': 'Fetch a compiled list',
  'POST /diff': 'What changed between two lists',
  'POST /validate': 'Which rules a DNS filter can use, and why not the others',
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
