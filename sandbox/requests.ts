/** A recorded request. */
export interface SeenRequest {
  readonly at: Date;
  /** With the query, without secrets. */
  readonly path: string;
  /** Absent if the connection was dropped. */
  readonly status: number | undefined;
}

export interface RouteRequests {
  readonly platform: string;
  readonly method: string;
  /** The pattern, such as `/twitch/helix/streams`. */
  readonly route: string;
  readonly count: number;
  /** The latest requests, oldest first. */
  readonly latest: readonly SeenRequest[];
}

const MOST_LATEST = 20;
const secretParameters = /secret|token|password|key|code/i;

/** Counts the requests of each route. */
export class Requests {
  readonly #byRoute = new Map<string, RouteRequests>();

  record(platform: string, method: string, route: string, request: SeenRequest): void {
    const key = `${platform} ${method} ${route}`;
    const { count = 0, latest = [] } = this.#byRoute.get(key) ?? {};
    const seen = { ...request, path: withoutSecrets(request.path) };
    this.#byRoute.set(key, { platform, method, route, count: count + 1, latest: [...latest, seen].slice(-MOST_LATEST) });
  }

  all(): readonly RouteRequests[] {
    return [...this.#byRoute.values()];
  }
}

function withoutSecrets(path: string): string {
  const at = path.indexOf('?');
  if (at === -1) return path;
  const query = new URLSearchParams(path.slice(at));
  for (const name of new Set(query.keys())) if (secretParameters.test(name)) query.set(name, '…');
  return `${path.slice(0, at)}?${query.toString()}`;
}
