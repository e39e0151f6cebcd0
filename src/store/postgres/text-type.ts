/** The type of text columns. Texts compare by their bytes, as in SQLite. */
export const TEXT = 'text collate "C"';
