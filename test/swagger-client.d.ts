// The package brings no types; this is what the tests use of it.
declare module 'swagger-client' {
  type Answered = {
    readonly status: number;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
    readonly body: ReturnType<JSON['parse']>;
  };
  type Call = (parameters: object, given: { readonly requestBody?: unknown }) => Promise<Answered>;
  type Request = { readonly headers: Record<string, string> };
  type Client = { readonly apis: Readonly<Record<string, Readonly<Record<string, Call>>>> };

  export default function connect(given: {
    readonly url: string;
    readonly requestInterceptor: (request: Request) => Request;
  }): Promise<Client>;
}
