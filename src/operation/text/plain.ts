import { outsideLinks } from './links.ts';

/** Text without markup and without anybody mentioned; its links stay. */
export function plain(text: string): string {
  const bare = text.replace(/\[([^\][\n]{1,500})\]\((https?:\/\/[^()\s]{1,2000})\)/giu, '$1 $2');
  return outsideLinks(bare, (run) =>
    run
      .replace(/<(?:@[!&]?|#)\d{1,25}>/gu, '')
      .replace(/<a?(:\w{1,40}:)\d{1,25}>/gu, '$1')
      .replace(/\*+|~~+|`+|\|\|+|__+/gu, '')
      .replace(/(?<![\p{L}\p{N}_])_([^_\n]{1,500})_(?![\p{L}\p{N}_])/gu, '$1')
      .replace(/^[ \t]*(?:#{1,6}[ \t]|>+[ \t]?|-#[ \t])/gmu, '')
      .replace(/[@＠](?=[\p{L}\p{N}_])/gu, ''),
  );
}
