import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { removedParameter, type DeclaredWrite } from '#src/clients/operation/declared.ts';
import { PostVisibility } from '#src/clients/social/enumerations.ts';
import { isWider } from '#src/clients/social/visibility.ts';
import { PlatformError } from '#src/errors.ts';
import type { ReplyFacts } from '#src/rules/audience/widening.ts';

interface SampleRecord {
  readonly visibility: PostVisibility | undefined;
  isDeleted: boolean;
}

/** Parameters that name a record without which their operation fails. Discord sends a reply to a deleted message as a plain message. */
const NEEDED = { post: 'post', message: 'message', replyTo: 'post' } as const;

/** The sample records of a preview, on which later steps depend: their visibility, and whether a step deleted them. */
export class SampleRecords {
  readonly #known = new Map<string, SampleRecord>();

  /** Remembers the record of a write through an account. */
  add(account: string, result: Json | undefined): void {
    if (!isJsonObject(result)) return;
    const { id, url, visibility } = result;
    const record = { visibility: isVisibility(visibility) ? visibility : undefined, isDeleted: false };
    for (const name of [id, url]) if (typeof name === 'string') this.#known.set(`${account} ${name}`, record);
  }

  /** Deletes the record that a write removes. Throws if a write needs a deleted record; a second deletion succeeds. */
  use(account: string, declared: DeclaredWrite, params: JsonObject): void {
    const removed = removedParameter(declared);
    if (removed !== undefined) {
      const record = this.#find(account, params[removed]);
      if (record) record.isDeleted = true;
      return;
    }
    for (const [parameter, what] of Object.entries(NEEDED)) {
      const isOptional = parameter === 'replyTo' && declared.publishes !== 'post';
      if (isOptional || !this.#find(account, params[parameter])?.isDeleted) continue;
      throw new PlatformError(`an earlier step deletes the ${what}`, { platform: account, fault: 'missing' });
    }
  }

  /** The parameters of a post as a platform shows it: a reply is never more visible than its post, if replies keep their audience. */
  shown(account: string, params: JsonObject, { keepAudience = false }: Partial<ReplyFacts> = {}): JsonObject {
    const { replyTo, visibility } = params;
    const widest = keepAudience ? this.#find(account, replyTo)?.visibility : undefined;
    return widest && isVisibility(visibility) && isWider(visibility, widest) ? { ...params, visibility: widest } : params;
  }

  #find(account: string, name: Json | undefined): SampleRecord | undefined {
    return typeof name === 'string' ? this.#known.get(`${account} ${name}`) : undefined;
  }
}

function isVisibility(value: Json | undefined): value is PostVisibility {
  return typeof value === 'string' && value in PostVisibility;
}
