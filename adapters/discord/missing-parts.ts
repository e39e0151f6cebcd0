import { z } from 'zod';
import { Files } from '#src/clients/chat/parameters.ts';
import { missingAmong } from '#src/clients/operation/part.ts';
import type { MissingParts } from '#src/clients/operation/platform.ts';
import { read, sourceOf } from './attachments.ts';
import { tagIds } from './operations/forum-posts.ts';
import { type Server, toMentions } from './server.ts';

const Names = z.array(z.string());

/** The parts that a message would be sent without: files, roles, tags of a forum. */
export function missingPartsOf({ roles, channels, ...sources }: Pick<Server, 'fetchFile' | 'single' | 'roles' | 'channels'>): MissingParts {
  return async ({ files, mention, tags, channel }, { signal }) => {
    const wanted = (Files.safeParse(files).data ?? []).map((file) => (typeof file === 'object' && 'base64' in file ? undefined : file));
    const source = sourceOf(wanted, sources);
    const tagged = Names.safeParse(tags).data ?? [];
    const target = tagged.length > 0 && typeof channel === 'string' ? await channels.forMessage(channel, { signal }) : undefined;
    return [
      ...(await missingAmong('files', wanted, async (file) => file && read(file, source, signal))),
      ...(await missingAmong('mention', Names.safeParse(mention).data ?? [], (name) => toMentions([name], roles, signal))),
      ...(target?.forum ? await missingAmong('tags', tagged, async (tag) => tagIds(target, [tag])) : []),
    ];
  };
}
