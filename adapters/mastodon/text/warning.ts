import type { Post } from '#src/clients/social/records/post.ts';

type RichText = Pick<Post, 'text' | 'entities'>;

/** The text behind its content warning, so that a copy also begins with the warning. */
export function withWarning({ text, entities }: RichText, warning: string): RichText {
  if (warning === '') return { text, entities };
  const before = text === '' ? warning : `${warning}\n\n`;
  const moved = entities.map((entity) => ({ ...entity, start: entity.start + before.length, end: entity.end + before.length }));
  return { text: `${before}${text}`, entities: moved };
}
