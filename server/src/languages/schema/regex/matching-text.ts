/** Makes strings that a regular expression matches (docs/composer.md, "Generated values"). */
import type { AST } from '@eslint-community/regexpp';
import { parseRegex, readPattern } from './regex.ts';

/** The limits of the length of a string, in code points. */
export interface TextLength {
  readonly least: number;
  readonly most: number;
}

/** The maximum number of strings, and the maximum length of a string. */
const MAX_TEXTS = 120;
const MAX_LENGTH = 10_000;

/** The characters that a string prefers, in this order. */
const PREFERRED = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '1234567890',
  '-_ ./:@#!"$%&\'()*+,;<=>?[\\]^`{|}~',
  '«»…éäßñçøłžαβγδЯБгджאבגابتअआइกขค中文字あいうアイウ한글ÀÉ٠१①½€£\u00a0\t\n\r\u200b\ud83d\ude42',
].flatMap((row) => [...row]);

/**
 * Yields different strings that probably match the expression, the simplest ones first. The caller must test each of them:
 * assertions such as `\b` are not respected. Yields nothing for an expression that is not supported. Never throws.
 */
export function* matchingTexts(source: string, length: TextLength): Generator<string> {
  const pattern = readPattern(source);
  if (!pattern) return;
  const writer = new Writer(length);
  const made = new Set<string>();
  for (let variant = 0; variant < MAX_TEXTS; variant++) {
    const text = writer.textOf(pattern.alternatives, variant);
    if (text === undefined || made.has(text)) continue;
    made.add(text);
    yield text;
  }
}

type Alternatives = readonly AST.Alternative[];

/** Writes one string for each variant. A variant selects alternatives, characters and the number of repetitions. */
class Writer {
  readonly #length: TextLength;
  readonly #characters = new Map<string, readonly string[]>();
  readonly #shortest = new Map<AST.Element, number>();
  /** The number of characters that the string contains for each class. */
  readonly #used = new Map<string, number>();
  #variant = 0;
  /** The number of characters that repetitions still have to add. */
  #missing = 0;
  #left = 0;

  constructor(length: TextLength) {
    this.#length = length;
  }

  textOf(alternatives: Alternatives, variant: number): string | undefined {
    this.#variant = variant;
    const shortest = Math.min(...alternatives.map((one) => this.#lengthOf(one)));
    this.#missing = Math.max(0, this.#length.least - shortest);
    this.#left = MAX_LENGTH;
    this.#used.clear();
    if (shortest > Math.min(this.#length.most, MAX_LENGTH)) return undefined;
    const text = this.#choose(alternatives);
    return this.#left < 0 ? undefined : text;
  }

  #choose(alternatives: Alternatives): string {
    const { most } = this.#length;
    const count = alternatives.length;
    const rotated = alternatives.map((_, at) => alternatives[(at + this.#variant) % count] as AST.Alternative);
    const lengths = rotated.map((one) => this.#lengthOf(one));
    // Each third variant uses the shortest alternative, because the first one may be too long.
    const isShort = this.#variant % 3 === 2 || most < Math.min(...lengths);
    const chosen = isShort ? lengths.indexOf(Math.min(...lengths)) : 0;
    return (rotated[chosen]?.elements ?? []).map((element) => this.#write(element)).join('');
  }

  #write(element: AST.Element): string {
    if (this.#left < 0) return '';
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#choose(element.alternatives);
      case 'Quantifier':
        return this.#repeat(element);
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#character(element);
      default:
        return '';
    }
  }

  #repeat({ element, min, max }: AST.Quantifier): string {
    const unit = Math.max(1, this.#shortestOf(element));
    // Some variants repeat more often than necessary.
    const extra = this.#missing > 0 ? Math.ceil(this.#missing / unit) : Math.floor(this.#variant / 4) % 6;
    const times = Math.min(max, min + extra);
    this.#missing -= (times - min) * unit;
    let text = '';
    for (let count = 0; count < times && this.#left >= 0; count++) text += this.#write(element);
    return text;
  }

  #character(element: AST.Character | AST.CharacterSet | AST.CharacterClass): string {
    this.#left--;
    if (element.type === 'Character') return String.fromCodePoint(element.value);
    const all = this.#charactersOf(element);
    const used = this.#used.get(element.raw) ?? 0;
    this.#used.set(element.raw, used + 1);
    // Every second variant uses consecutive characters, the others repeat a character.
    return all[((this.#variant % 2 === 0 ? used : 0) + (this.#variant >> 1)) % all.length] ?? '';
  }

  /** Returns characters that match a class, of one kind if possible. The linear-time engine tests them. */
  #charactersOf({ raw, ...element }: AST.CharacterSet | AST.CharacterClass): readonly string[] {
    const known = this.#characters.get(raw);
    if (known) return known;
    const { test } = parseRegex(`^(?:${raw})$`);
    const ends = 'elements' in element ? element.elements.flatMap(endsOf) : [];
    const all = [...PREFERRED, ...ends].filter((character) => test(character));
    const kind = KINDS.find((one) => all.some((character) => one.test(character)));
    const chosen = kind ? all.filter((character) => kind.test(character)) : all;
    const sorted = [...chosen, ...all.filter((character) => !chosen.includes(character))];
    this.#characters.set(raw, sorted);
    return sorted;
  }

  #lengthOf({ elements }: AST.Alternative): number {
    return elements.reduce((total, element) => total + this.#shortestOf(element), 0);
  }

  #shortestOf(element: AST.Element): number {
    const known = this.#shortest.get(element);
    if (known !== undefined) return known;
    const length = this.#measure(element);
    this.#shortest.set(element, length);
    return length;
  }

  #measure(element: AST.Element): number {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return Math.min(...element.alternatives.map((one) => this.#lengthOf(one)));
      case 'Quantifier':
        return element.min === 0 ? 0 : element.min * this.#shortestOf(element.element);
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return 1;
      default:
        return 0;
    }
  }
}

const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[\p{L}\p{N}]/u];

/** Returns the characters at both ends of a range, and a single character. */
function endsOf(element: AST.CharacterClassElement | AST.ClassSetOperand): readonly string[] {
  if (element.type === 'Character') return [String.fromCodePoint(element.value)];
  if (element.type !== 'CharacterClassRange') return [];
  return [element.min.value, element.max.value].map((value) => String.fromCodePoint(value));
}
