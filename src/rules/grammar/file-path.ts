import { normalize } from 'node:path/posix';

/** Whether a file name is a web address. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//iu.test(text);
}

/** Whether the start of a path names a folder, other than the working directory, a folder above it, or a drive. */
export function namesFolder(beginning: string): boolean {
  const folders = normalize(beginning.replaceAll('\\', '/')).split('/').slice(0, -1);
  return folders.some((name) => !/^(?:\.*|[A-Za-z]:)$/u.test(name));
}

/** Makes platform text a safe part of a file name. */
export function toPathPart(text: string): string {
  return text.replace(/\.{2,}|^\.|\.$|[/\\:]/gu, '_');
}

/** The hint for a path that a platform would choose. */
export const FOLDER_HINT = 'start the path with a fixed folder, as cards/${{ item.id }}.png';
