/** Every text of the interface can be translated. A text without a translation is shown in English. */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { textsBlock } from '../../client/src/panels/kit/page-head.ts';
import manifest from '../../package.json' with { type: 'json' };

type Bundle = Readonly<Record<string, string>>;

const read = (path: string): Bundle => JSON.parse(readFileSync(path, 'utf8')) as Bundle;

const sources = readdirSync('client/src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, code: readFileSync(join('client/src', file), 'utf8') }));

const literal = /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`)/.source;
const hostCall = new RegExp(`\\bl10n\\.t\\(\\s*${literal}?`, 'g');
const pageCall = new RegExp(`(?<!\\w|l10n\\.)t(?:Around)?\\(\\s*${literal}?`, 'g');
const countCall = new RegExp(`\\btCount\\((?:[^,]*,\\s*${literal},\\s*${literal})?`, 'g');

/** Texts of one kind: in English, and the files of their translations. */
interface Texts {
  readonly name: string;
  readonly english: () => Bundle;
  readonly folder: string;
  readonly translated: RegExp;
}

const kinds: readonly Texts[] = [
  {
    name: 'the manifest',
    english: () => read('package.nls.json'),
    folder: '.',
    translated: /^package\.nls\.(.+)\.json$/,
  },
  {
    // The English texts are in the code, as `l10n.t` and `t` take them; they are the keys of each translation.
    name: 'the code',
    english: () =>
      Object.fromEntries(
        sources.flatMap(({ file, code }) => stringsOf(file, code)).map((text): [string, string] => [text, text]),
      ),
    folder: 'l10n',
    translated: /^bundle\.l10n\.(.+)\.json$/,
  },
];

for (const { name, english, folder, translated } of kinds) {
  const others = readdirSync(folder).filter((file) => translated.test(file));

  for (const file of others) {
    const target = read(join(folder, file));

    test(`${file} has only texts of ${name}, and no empty translation`, () => {
      const texts = english();
      assert.deepEqual(
        Object.keys(target).filter((key) => texts[key] === undefined || target[key]?.trim() === ''),
        [],
      );
    });

    test(`${file} keeps placeholders, code and commands`, () => {
      const texts = english();
      for (const [key, text] of Object.entries(target)) {
        assert.deepEqual(fixedIn(text), fixedIn(texts[key] ?? ''), key);
      }
    });
  }
}

test('plural texts contain the number, and the same other placeholders as the singular', () => {
  for (const { file, code } of sources.filter((source) => isOfPage(source.file))) {
    for (const [, one = '', many = ''] of code.matchAll(countCall)) {
      assert.ok(many.includes('{0}'), `${file}: ${many}`);
      const others = (text: string): string[] => fixedIn(text).filter((place) => place !== '{0}');
      assert.deepEqual(others(one), others(many), file);
    }
  }
});

test('pages show no untranslated literals', () => {
  const examples = [
    "{ text: 'Save' }",
    "button('Save', save)",
    "setAttr(it, 'title', `Save it`)",
    '<input title="Save it" />',
    '<p>Save it</p>',
  ];
  for (const shown of examples) {
    assert.equal(shownLiterals(shown).length, 1, shown);
  }
  assert.deepEqual(
    sources.flatMap(({ file, code }) => (isOfPage(file) ? shownLiterals(code).map((text) => `${file}: ${text}`) : [])),
    [],
  );
});

test('texts of a page cannot end their script element', () => {
  const texts = { 'a </script><!-- b': '</SCRIPT><!--<script>' };
  const [, json = ''] =
    /^<script type="application\/json" id="l10n">([^<]*)<\/script>\n$/.exec(textsBlock(texts)) ?? [];
  assert.deepEqual(JSON.parse(json), texts);
  assert.equal(textsBlock(undefined), '');
});

test('notifications and pickers show no untranslated literals', () => {
  const shown =
    /\bshow(Error|Warning|Information)Message\(\s*['"`]|\b(title|placeHolder|prompt|label|detail|openLabel|message|tooltip):\s*['"`][A-Z]/g;
  const hosts = sources.filter(({ file }) => !isOfPage(file));
  assert.deepEqual(
    hosts.flatMap(({ file, code }) => code.match(shown)?.map((text) => `${file}: ${text}`) ?? []),
    [],
  );
});

/** The first sentences of the rules' pages, which are English as the pages are. */
const ofRulePage = /\.skillComposer\.rules\.propertyNames\.markdownEnumDescriptions\.\d+$/;

/** Names of programs are the same in every language. */
const ofProgram = /\.skillComposer\.agentSkills\.clients\.items\.enumDescriptions\.\d+$/;

/** What a model reads of a tool, in the language of its instructions. */
const ofModel = /^contributes\.languageModelTools\.\d+\.(?:name|modelDescription|inputSchema\..+)$/;

test('contributions in the manifest have no literal texts', () => {
  const known = read('package.nls.json');
  const keys: string[] = [];
  const literal: string[] = [];
  visit(manifest.contributes, (path, value) => {
    const key = /^%(.+)%$/.exec(value)?.[1];
    if (key !== undefined) keys.push(key);
    else if (![ofRulePage, ofProgram, ofModel].some((of) => of.test(path))) literal.push(`${path}: ${value}`);
  });
  assert.deepEqual(literal, []);
  keys.push(manifest.description.slice(1, -1));
  assert.deepEqual([...new Set(keys)].sort(), Object.keys(known).sort());
});

/** `{0}`, `code` and links to commands, in no order: languages differ in that. */
const fixedIn = (text: string): string[] => (text.match(/\{\d+\}|`[^`]*`|\(command:[^)]*\)/g) ?? []).sort();

/** Where the words of a page stand in its code: what an element holds, or is called, for the eye and for a screen reader. */
const places = [
  `\\b(?:text|title|placeholder|label):\\s*${literal}`,
  `'(?:aria-label|aria-roledescription|title|placeholder)'[:,]\\s*${literal}`,
  `\\b(?:textContent|title|placeholder|ariaLabel) = ${literal}`,
  `\\b(?:button|link|labelled|select)\\(\\s*${literal}`,
  `\\biconButton\\(\\s*'\\w+',\\s*${literal}`,
  `\\bsetText\\(\\w+,\\s*${literal}`,
  `\\b(?:title|label|placeholder|aria-label)=${literal}`,
  // A child of an element, behind its attributes.
  `\\},\\s*${literal}[,)]`,
  // The words between two tags.
  '"?>\\s*([A-Z][^<>{}=;()]*)</',
].map((place) => new RegExp(place, 'g'));

/** The same in every language: units, formats, and what stands in files. */
const international = /\b(ms|SVG|PNG|JSON|HEAD|workspace|Aa)\b/g;

/** The literals of a page's code that are shown as they are, where a word of them is left beside what is filled in. */
const shownLiterals = (code: string): string[] =>
  places.flatMap((place) =>
    [...code.matchAll(place)].flatMap(([, text = '']) =>
      /[A-Za-z]{2}/.test(text.replaceAll(/\$\{[^}]*\}+/g, '').replaceAll(international, '')) ? [text] : [],
    ),
  );

/** The file that defines `t` calls it with a variable. */
const isOfPage = (file: string): boolean => /\/(webview|kit)\//.test(file) && !file.endsWith('/l10n.ts');

/** The texts of all calls; a call with anything but a literal has none that could be translated. */
function stringsOf(file: string, code: string): string[] {
  const calls = isOfPage(file) ? [pageCall, countCall] : [hostCall];
  return calls
    .flatMap((call) => [...code.matchAll(call)])
    .flatMap(([call, one, ...others]) => {
      assert.ok(one, `${file} translates a literal, not ${call}`);
      const literals = [one, ...others].filter((text) => text !== undefined);
      return literals.map((text) => text.slice(1, -1).replaceAll(/\\(.)/g, '$1'));
    });
}

/** What a person reads of each contribution point; a language's alias is its name. */
const readable =
  /^(title|shortTitle|category|description|markdownDescription|(markdown)?[eE]numDescriptions|enumItemLabels|deprecationMessage|markdownDeprecationMessage|name|displayName|userDescription|label|contents|altText|contextualTitle)$/;

/** Calls `see` for every text below `value` that people read, with its path. */
function visit(value: unknown, see: (path: string, text: string) => void, path = 'contributes', isRead = false): void {
  if (typeof value === 'string') {
    if (isRead) see(path, value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const isItem = Array.isArray(value);
      // A default is what a program reads, whatever its keys are called.
      if (key !== 'default') visit(inner, see, `${path}.${key}`, isItem ? isRead : readable.test(key));
    }
  }
}
