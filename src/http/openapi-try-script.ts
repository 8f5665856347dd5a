/** A module for the page to try an API. What a server sends becomes only text; credentials stay in their field. */
export const tryScript = String.raw`const at = (id) => document.getElementById(id);
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// The page may stand below a prefix of a proxy: its own address tells.
const root = new URL('..', location.href).href.replace(/\/$/, '');
const methods = ['get', 'post', 'put', 'patch', 'delete'];
const FORM = 'application/x-www-form-urlencoded';
let [api, operations, chosen, fields, sent] = [{}, [], {}, [], 0];

const resolved = (schema = {}) =>
  schema.$ref ? resolved(api.components?.schemas?.[schema.$ref.split('/').at(-1)]) : schema;
const typeOf = ({ type, properties }) =>
  [type].flat().find((word) => word && word !== 'null') ?? (properties ? 'object' : 'string');

const formats = { email: 'ann@example.org', date: '2026-01-31', 'date-time': '2026-01-31T12:00:00Z', ipv4: '192.0.2.1' };
const samples = {
  string: ({ format }, name) => formats[format] ?? name,
  integer: ({ minimum = 0 }) => minimum,
  number: ({ minimum = 0 }) => minimum,
  boolean: () => true,
  array: ({ items }, name, depth) => [sample(items, name, depth)],
  object: ({ properties = {} }, _name, depth) =>
    Object.fromEntries(Object.entries(properties).map(([key, member]) => [key, sample(member, key, depth)])),
};
const knownValue = ({ const: only, examples, default: usual, enum: choices }) =>
  [only, examples?.[0], usual, choices?.[0]].find((value) => value !== undefined);

/** A value that fits a schema; a schema may contain itself, hence the depth. */
const sample = (given, name = 'text', depth = 0) => {
  const schema = resolved(given);
  const known = knownValue(schema);
  if (known !== undefined || depth > 8) return known ?? null;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return sample(choices.find(({ type }) => type !== 'null'), name, depth + 1);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sample(part, name, depth + 1)));
  return samples[typeOf(schema)]?.(schema, name, depth + 1) ?? null;
};

const formSample = (schema) =>
  Object.entries(resolved(schema).properties ?? {}).map(
    ([name, member]) => name + '=' + (knownValue(resolved(member)) ?? '') + '\n').join('');

/** Descriptions mark code with backticks. */
const plain = (text) => text.replaceAll('\u0060', '');
const linesOf = (text) => text.split('\n').map((line) => line.trim()).filter((line) => line !== '');

const fieldFor = (parameter, index) => {
  const schema = resolved(parameter.schema);
  const isList = typeOf(schema) === 'array';
  const choices = (isList ? resolved(schema.items) : schema).enum;
  const { in: place, name, description, required = false } = parameter;
  const quirks = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false };
  const input = element(isList ? 'textarea' : 'input', { id: 'parameter-' + index, required, ...quirks });
  const hints = [
    description && plain(description),
    isList && 'One value a line.',
    choices && 'One of ' + choices.join(', ') + '.',
    schema.default !== undefined && 'Unless given: ' + schema.default + '.',
  ];
  const hint = element('p', { id: input.id + '-hint', className: 'limits' }, hints.filter(Boolean).join(' '));
  input.setAttribute('aria-describedby', hint.id);
  const about = ' ' + typeOf(schema) + ' in ' + place + (required ? ', required' : '');
  const label = element('label', { htmlFor: input.id }, name, element('span', { className: 'quiet' }, about));
  at('parameters').append(element('div', {}, label, input, hint));
  return { place, name, values: () => (isList ? linesOf(input.value) : [input.value].filter(Boolean)) };
};

const choose = () => {
  chosen = operations[Number(at('operation').value)];
  at('summary').textContent = plain([chosen.summary, chosen.description].filter(Boolean).join('. '));
  at('parameters').replaceChildren();
  fields = (chosen.parameters ?? []).filter((parameter) => ['path', 'query'].includes(parameter.in)).map(fieldFor);
  const [type, media] = Object.entries(chosen.requestBody?.content ?? {})[0] ?? [];
  chosen.type = type;
  at('body-field').hidden = type === undefined;
  at('body-type').textContent = type ?? '';
  at('body-hint').textContent = type === FORM ? 'One name=value a line; without a value it is not sent.' : '';
  at('body').value = type === FORM ? formSample(media.schema) : type ? JSON.stringify(sample(media.schema), null, 2) : '';
  at('answer').hidden = true;
  sent += 1;
  showCommand();
};

const bodyOf = () => {
  const text = at('body').value;
  if (chosen.type !== FORM) return chosen.type === undefined || text.trim() === '' ? undefined : text;
  const pairs = linesOf(text).map((line) => /^([^=]+)=(.+)$/.exec(line)?.slice(1));
  return new URLSearchParams(pairs.filter((pair) => pair !== undefined)).toString();
};

/** The request as the fields have it, for the browser and for curl alike. */
const currentRequest = () => {
  const filledIn = (name) => fields.find((field) => field.place === 'path' && field.name === name)?.values()[0];
  const path = chosen.path.replace(/\{([^}]+)\}/g, (whole, name) => encodeURIComponent(filledIn(name) ?? '') || whole);
  const asked = fields.filter((field) => field.place === 'query');
  const query = new URLSearchParams(asked.flatMap(({ name, values }) => values().map((value) => [name, value])));
  const body = bodyOf();
  const credentials = at('credentials').value.trim();
  const headers = {
    ...(credentials !== '' && chosen.security?.length !== 0 && { Authorization: credentials }),
    ...(body !== undefined && { 'Content-Type': chosen.type }),
  };
  return { url: root + path + (query.size > 0 ? '?' + query : ''), method: chosen.method, headers, body };
};

/** One word to a POSIX shell, whatever is in it. */
const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

const showCommand = () => {
  const { url, method, headers, body } = currentRequest();
  const parts = [
    'curl -i ' + (method === 'GET' ? '' : '-X ' + method + ' ') + quoted(url),
    ...Object.entries(headers).map(([name, value]) => '-H ' + quoted(name + ': ' + value)),
    ...(body === undefined ? [] : ['--data-raw ' + quoted(body)]),
  ];
  at('command').textContent = parts.join(' \\\n  ');
  at('copied').textContent = '';
};

const readable = (text, type) => {
  if (text === '') return 'No body.';
  try {
    return /json/.test(type) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  } catch {
    return text; // Called JSON and is none: shown as it came.
  }
};

const show = (kind, status, headers, body) => {
  at('answer').hidden = false;
  Object.assign(at('status'), { className: 'status ' + kind, textContent: status });
  at('headers').textContent = headers;
  at('content-text').textContent = body;
};

const send = async (event) => {
  event.preventDefault();
  const turn = ++sent;
  show('quiet', 'Waiting for the answer …', '', '');
  const started = performance.now();
  // An answer that another request or operation has overtaken is nobody's any more.
  const answered = (...outcome) => turn === sent && show(...outcome);
  try {
    const { url, ...request } = currentRequest();
    const response = await fetch(url, { ...request, credentials: 'omit', redirect: 'manual', cache: 'no-store' });
    const text = await response.text();
    const took = ', ' + Math.round(performance.now() - started) + ' ms';
    const headers = [...response.headers].map(([name, value]) => name + ': ' + value).join('\n');
    const kind = response.status < 300 ? 'good' : response.status < 500 ? 'care' : 'bad';
    if (response.type === 'opaqueredirect')
      answered('note', 'A redirect' + took, '', 'Browsers hide where a redirect leads; the curl command shows it.');
    else
      answered(kind, response.status + ' ' + response.statusText + took, headers,
        readable(text, response.headers.get('content-type')));
  } catch (error) {
    answered('bad', 'The request failed', '', String(error));
  }
};

const copy = async () => {
  getSelection().selectAllChildren(at('command'));
  // Browsers lend the clipboard only to pages that came safely; elsewhere the selection is ready to be copied.
  const wrote = await navigator.clipboard?.writeText(at('command').textContent).then(() => true, () => false);
  at('copied').textContent = wrote ? 'Copied.' : 'Selected: copy it with the keyboard.';
};

const start = async () => {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error('it was answered with ' + response.status);
  api = await response.json();
  operations = Object.entries(api.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ ...item[method], method: method.toUpperCase(), path })),
  );
  for (const [group, members] of Map.groupBy(operations, ({ tags }) => tags?.[0] ?? 'Other')) {
    const options = members.map((operation) =>
      element('option', { value: operations.indexOf(operation) }, operation.method + ' ' + operation.path),
    );
    at('operation').append(element('optgroup', { label: group }, ...options));
  }
  at('operation').addEventListener('change', choose);
  at('request').addEventListener('input', showCommand);
  at('copy').addEventListener('click', copy);
  at('request').addEventListener('submit', send);
  choose();
  at('request').hidden = false;
  at('loading').hidden = true;
};

start().catch((error) => {
  at('loading').textContent = 'The document could not be read: ' + error.message;
});
`;
