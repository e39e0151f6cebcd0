/** What has to do with the assistant. */
export const assistant = {};
