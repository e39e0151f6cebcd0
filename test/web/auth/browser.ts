import { from } from '../open-site.ts';

interface RequestOptions {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type SentRequest = RequestOptions & Required<Pick<RequestOptions, 'headers'>>;

/** The target of requests: the routes of a process, or a server. */
interface Site {
  request(url: string, init: SentRequest, environment: object): Response | Promise<Response>;
}

export interface BrowserOptions {
  readonly origin?: string;
  readonly address?: string;
  /** Headers of all requests, for example those of a proxy. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser with cookies, without scripts. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #site: Site;
  readonly #origin: string;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  /** The referrer policy of the page that was loaded last. */
  #referrerPolicy = '';

  constructor(site: Site, { origin = 'http://fanfare.example', address = '192.0.2.7', headers = {} }: BrowserOptions = {}) {
    this.#site = site;
    this.#origin = origin;
    this.#address = address;
    this.#headers = headers;
  }

  async request(path: string, { headers, ...init }: RequestOptions = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { accept: 'text/html', cookie, ...this.#headers, ...headers };
    const response = await this.#site.request(`${this.#origin}${path}`, { ...init, headers: sent }, from(this.#address));
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(set) ?? [];
      if (/Max-Age=0/iu.test(set)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    if (response.headers.get('content-type')?.startsWith('text/html') === true)
      this.#referrerPolicy = response.headers.get('referrer-policy') ?? '';
    return response;
  }

  /** Loads a page and sends its form. Fields that are not given have the values of the page. */
  async submit(page: string, fields: Readonly<Record<string, string>>, action = page): Promise<Response> {
    const text = await (await this.request(page)).text();
    const hidden = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/gu)].map(([, name = '', value = '']) => [name, value]);
    return this.post(action, { ...Object.fromEntries(hidden), ...fields });
  }

  post(path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}): Promise<Response> {
    const type = 'application/x-www-form-urlencoded';
    const body = new URLSearchParams(fields).toString();
    // Browsers hide the origin of a form whose page sends no referrer (Fetch, "append a request Origin header").
    const origin = this.#referrerPolicy === 'no-referrer' ? 'null' : this.#origin;
    return this.request(path, { method: 'POST', body, headers: { 'content-type': type, origin, ...headers } });
  }

  signIn(name: string, password: string): Promise<Response> {
    return this.submit('/sign-in', { name, password });
  }
}
