import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Omission } from '#src/clients/operation/part.ts';
import { fileReference, filesIn, missingFiles } from '#src/clients/social/files.ts';
import type { Medium } from '#src/http/media/medium.ts';

/** The files that X cannot use, and the descriptions of videos: X has descriptions only for pictures and GIFs. */
export async function missingFromPost(
  params: JsonObject,
  read: (source: string) => Promise<Pick<Medium, 'kind'>>,
): Promise<readonly Omission[]> {
  const kinds = new Map<string, Medium['kind']>();
  const missing = await missingFiles(params, async (source) => void kinds.set(source, (await read(source)).kind));
  const undescribed = filesIn(params).flatMap((file, index) => {
    const { source, altText = '' } = { source: undefined, ...fileReference(file) };
    const isVideo = typeof source === 'string' && kinds.get(source) === 'video';
    return isVideo && altText !== '' ? [{ parameter: 'altText', index, message: 'X has no alternative text for videos' }] : [];
  });
  return [...missing, ...undescribed];
}
