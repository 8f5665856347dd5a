// Starts Swagger UI with the document that the page names.
(() => {
  const root = document.documentElement;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const applyScheme = () => {
    // Chosen in the web interface, which has the same origin.
    const chosen = localStorage.getItem('mantine-color-scheme-value');
    root.classList.toggle('dark-mode', chosen === 'dark' || (chosen !== 'light' && prefersDark.matches));
  };
  applyScheme();
  prefersDark.addEventListener('change', applyScheme);

  SwaggerUIBundle({
    url: document.querySelector('meta[name="openapi-document"]').content,
    dom_id: '#api-reference',
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    // Credentials stay in memory only.
    persistAuthorization: false,
    // The public validator would receive the document.
    validatorUrl: null,
    // There is one server, this one; the selection of Swagger UI has no label for screen readers.
    plugins: [{ wrapComponents: { ServersContainer: () => () => null } }],
  });
})();
