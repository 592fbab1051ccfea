/** Format characters (Cf), such as direction marks, and variation selectors, which chats, right-to-left text, and spreadsheets add. */
export const INVISIBLE = /[\p{Cf}\uFE00-\uFE0F]/gu;
