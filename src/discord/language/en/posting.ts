/** What has to do with posting. */
export const posting = {};
