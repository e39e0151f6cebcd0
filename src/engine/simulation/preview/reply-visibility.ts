import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { PostVisibility } from '#src/clients/social/enumerations.ts';
import { isWider } from '#src/clients/social/visibility.ts';
import type { ReplyFacts } from '#src/rules/audience/widening.ts';

/** The visibilities of the sample posts of a preview, on which those of replies depend. */
export class ReplyVisibility {
  readonly #known = new Map<string, PostVisibility>();

  /** Remembers a post of an account. */
  add(account: string, result: Json | undefined): void {
    if (!isJsonObject(result)) return;
    const { id, url, visibility } = result;
    if (!isVisibility(visibility)) return;
    for (const name of [id, url]) if (typeof name === 'string') this.#known.set(`${account} ${name}`, visibility);
  }

  /** The parameters of a post as a platform shows it: a reply is never more visible than its post, if replies keep their audience. */
  shown(account: string, params: JsonObject, { keepAudience = false }: Partial<ReplyFacts> = {}): JsonObject {
    const { replyTo, visibility } = params;
    const widest = keepAudience && typeof replyTo === 'string' ? this.#known.get(`${account} ${replyTo}`) : undefined;
    return widest && isVisibility(visibility) && isWider(visibility, widest) ? { ...params, visibility: widest } : params;
  }
}

function isVisibility(value: Json | undefined): value is PostVisibility {
  return typeof value === 'string' && value in PostVisibility;
}
