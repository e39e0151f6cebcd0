import { normalize } from 'node:path/posix';

/** Whether a text that names a file is the address of one. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//iu.test(text);
}

/** Whether the beginning of a path names the folder that what follows is in: neither the one that the program runs in, nor one above it, nor a whole drive. */
export function namesFolder(beginning: string): boolean {
  const folders = normalize(beginning.replaceAll('\\', '/')).split('/').slice(0, -1);
  return folders.some((name) => !/^(?:\.*|[A-Za-z]:)$/u.test(name));
}

/** Foreign text as a part of the name of a file or a folder, which leads nowhere else. */
export function asNamePart(text: string): string {
  return text.replace(/\.{2,}|^\.|\.$|[/\\:]/gu, '_');
}

/** What an author does about a path that a platform would choose. */
export const FOLDER_HINT = 'a path begins with a folder that you write, as in cards/${{ item.id }}.png';
