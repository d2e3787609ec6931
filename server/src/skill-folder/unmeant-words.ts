/**
 * Words beside a path that need not exist: it is an example, is optional, or will be written (docs/rules/broken-link.md). The
 * words of all languages count in any text, because authors mix languages.
 */

/** The words of English, as parts of a regular expression. */
const ENGLISH =
  /\b(?:writ(?:e|es|ing|ten)|wrote|sav(?:e|es|ed|ing)|outputs?|creat(?:e|es|ed|ing)|generat(?:e|es|ed|ing)|produc(?:e|es|ed)|exports?|examples?|such as|like|adds?|put|place|stored?|stores|cached|original contents?|optional|your|if present|exists?|rename|move|instead|should|(?<!this )skill(?!\.md\b))\b|e\.g\.|i\.e\.|→.*→|[❌✅]/i;

/** Scripts without spaces between words, and words without a boundary. */
const WITHOUT_SPACES: ReadonlyMap<string, string> = new Map([
  // A single 例 or 예 is a mark, but it is also a part of other words.
  [
    'zh',
    '原始内容|原文内容|示例|例子|例如|例句|范例|範例|样例|樣例|比如|譬如|诸如|諸如|举例|舉例|假设|假設|生成|保存|存储|儲存|输出|輸出|创建|建立|写入|寫入|追加|缓存|可选|選用|会很有帮助|會很有幫助|的话',
  ],
  [
    'ja',
    '例えば|たとえば|例示|サンプル|といった|のような|なら|作成|生成|保存|書き込|書き出|追記|出力|キャッシュ|任意|省略可',
  ],
  ['zh, ja', '(?<!\\p{Script=Han})例(?!\\p{Script=Han})'],
  [
    'ko',
    '예시|예컨대|가령|이를테면|예를 들|(?<!\\p{Script=Hangul})예(?!\\p{Script=Hangul})|생성|저장|작성|출력|선택 사항|라면',
  ],
  ['th', 'ตัวอย่าง|เช่น|สร้าง|เขียน|บันทึก|ระบุ'],
]);

/** Words, without the letters around them. A word that ends with `*` may have an ending. */
const WORDS: ReadonlyMap<string, string> = new Map([
  [
    'es',
    'contenido original|ejemplos?|p\\. ?ej|por ej|tal(?:es)? como|crear?|guardar?|generar?|escrib*|salida|opcional*|sería útil|si exist*|si está*|caché',
  ],
  [
    'pt',
    'exemplos?|p\\. ?ex|por ex|tais como|tal como|criar?|gerar?|gravar|escrev*|saída|opciona*|seria útil|se existir',
  ],
  [
    'fr',
    'contenu original|exemples?|par ex|p\\. ?ex|tel(?:le)?s? que|comme|cr[eé]e[rz]?|enregistr*|g[eé]n[eéè]r(?:e|er|ez|ons|ent|ées?|és?)|[eé]cri(?:re|s|t|vez)|sortie|facultati*|optionnel*|serait utile|si pr[eé]sent*|si exist*|s.il existe|si disponible*|en cache|(?:dans|de) le cache|du cache',
  ],
  [
    'de',
    'ursprünglicher inhalt|beispiel*|bspw|z\\. ?b|etwa|zum beispiel|wie etwa|erstell*|schreib*|speicher*|erzeug*|ausgabe*|optionale[mnrs]?|gegebenenfalls|ggf|falls (?:vorhanden|verfügbar)|sofern|wenn vorhanden|enthält es|wäre hilfreich|cachen|zwischenspeicher*',
  ],
  [
    'it',
    'esempi|esempio|ad es|p\\. ?es|come ad|cre(?:a|are)|salv(?:a|are|at[oaie])|scriv*|gener(?:a|are|at[oaie])|opzional*|sarebbe utile',
  ],
  ['nl', 'voorbeeld*|bijvoorbeeld|bijv|b\\.v|zoals|maak|schrijf*|opslaan|bewaar|genereer*|optione*|zou handig'],
  ['ru, uk', 'пример*|наприм*|приклад*|напр|созда*|створ*|запис*|сохран*|збереж*|вывод*|опциональн*|необязательн*'],
  [
    'pl, cs, sk',
    'przykład*|np\\.|na przykład|utwórz|zapis*|generuj*|opcjonaln*|příklad*|například|např|napríklad|vytvoř*|ulož*',
  ],
  ['sv, da, no, fi', 'exempel*|t\\.ex|till exempel|eksempel*|f\\.eks|esimer*|skriv|skapa|spara|opret|lagre|valfri*'],
  ['tr', 'örne[kğ]*|mesela|oluştur*|kaydet*|yaz'],
  ['vi, id, ms', 'ví dụ|chẳng hạn|tạo|lưu|ghi|contoh*|misalnya|buat|simpan|tulis'],
  ['ro, hu, el, ca', 'exempl[ue]*|de ex|példa*|például|pl\\.|παράδειγμα*|π\\.χ|creează|salvează'],
  ['ar, fa, he', 'مثال|مثلا|مثلاً|على سبيل المثال|برای مثال|דוגמה|לדוגמה|למשל'],
  ['hi', 'उदाहरण|जैसे'],
]);

const OTHER = new RegExp(
  [
    ...WITHOUT_SPACES.values(),
    `(?<!\\p{L})(?:${[...WORDS.values()].join('|').replace(/\*/g, '\\p{L}*')})(?!\\p{L})`,
  ].join('|'),
  'iu',
);

/** Returns whether text says that a path in it is an example, optional, or will be written. Never throws. */
export const isNotMeant = (text: string): boolean => ENGLISH.test(text) || OTHER.test(text);

/** Frequent words of English that other languages do not have. */
const FREQUENT = /\b(?:the|and|with|when|for|this|from|use|if|to)\b/gi;

/** The number of characters of a text whose language is recognised, and the smallest share of frequent words. */
const READ = 4_000;
const SHARE = 0.04;

/** Returns whether a text is in English, by its frequent words. Never throws. */
export function isEnglish(text: string): boolean {
  const start = text.slice(0, READ);
  const words = start.match(/\p{L}+/gu)?.length ?? 0;
  const isLatin =
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}]{2}/u.test(start);
  return (isLatin || words > 0) && (start.match(FREQUENT)?.length ?? 0) >= Math.max(1, words * SHARE);
}

/** The start of a list item with a bold word and a colon, such as `- **Plantilla**: `. */
const LABELLED_ITEM =
  /^[\s>]*(?:[-*+]|\d+[.)])[ \t]+(?:\*\*|__)[^*_\r\n]{1,60}(?:(?:\*\*|__)[ \t]*[:：]|[:：][ \t]*(?:\*\*|__))/;

/** Returns whether the text before a path begins with a bold word and a colon in a list item. Never throws. */
export const isInLabelledItem = (before: string): boolean => LABELLED_ITEM.test(before.replace(/^[\r\n]+/, ''));
