import { credentials } from './credentials.ts';

/** An app as the authorization server knows it. */
export interface Client {
  readonly id: string;
  /** Absent: it can keep none. */
  readonly secret: string | undefined;
}

const clients: readonly Client[] = [
  { id: credentials.clientId, secret: credentials.clientSecret },
  { id: credentials.publicClientId, secret: undefined },
];

export function findClient(id: string): Client | undefined {
  return clients.find((client) => client.id === id);
}

/** Whether a code may be sent there: in the sandbox, only to a program on this machine. */
export function isCallback(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}

/** The name and the password of `Authorization: Basic …`. */
export function basicOf(header: string | undefined): { readonly name: string; readonly password: string } | undefined {
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: decoded(text.slice(0, colon)), password: decoded(text.slice(colon + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
