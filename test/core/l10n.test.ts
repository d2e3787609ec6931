/** Every string of the interface can be translated. Text without a translation is shown in English. */
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

/** Interface text of one kind: the English strings, and the files of their translations. */
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
    // The English strings are the arguments of `l10n.t` and `t` in the code, and the keys of each translation.
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

    test(`${file} translates only strings from ${name}, and has no empty translation`, () => {
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

test('a plural string contains the number, and otherwise the same placeholders as the singular', () => {
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

test('translated strings in a page cannot end their script element', () => {
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

/** The first sentences of the rule pages, in English like the pages. */
const ofRulePage = /\.skillComposer\.rules\.propertyNames\.markdownEnumDescriptions\.\d+$/;

/** The names of programs are the same in every language. */
const ofProgram = /\.skillComposer\.agentSkills\.clients\.items\.anyOf\.\d+\.enumDescriptions\.\d+$/;

/** The text that describes a tool to a model, in the language of the model's instructions. */
const ofModel = /^contributes\.languageModelTools\.\d+\.(?:name|modelDescription|inputSchema\..+)$/;

test('contributions in the manifest contain no untranslated strings', () => {
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

/** Returns the placeholders, code and command links in a text, sorted, since their order differs between languages. */
const fixedIn = (text: string): string[] => (text.match(/\{\d+\}|`[^`]*`|\(command:[^)]*\)/g) ?? []).sort();

/** The patterns that find displayed text in a page's code: content of elements, labels and descriptions. */
const places = [
  `\\b(?:text|title|placeholder|label):\\s*${literal}`,
  `'(?:aria-label|aria-roledescription|title|placeholder)'[:,]\\s*${literal}`,
  `\\b(?:textContent|title|placeholder|ariaLabel) = ${literal}`,
  `\\b(?:button|link|labelled|select)\\(\\s*${literal}`,
  `\\biconButton\\(\\s*'\\w+',\\s*${literal}`,
  `\\bsetText\\(\\w+,\\s*${literal}`,
  `\\b(?:title|label|placeholder|aria-label)=${literal}`,
  // The first text child of an element, after its attributes.
  `\\},\\s*${literal}[,)]`,
  // The words between two tags.
  '"?>\\s*([A-Z][^<>{}=;()]*)</',
].map((place) => new RegExp(place, 'g'));

/** Strings that are the same in every language: units, formats, and text from files. */
const international = /\b(ms|SVG|PNG|JSON|HEAD|workspace|Aa)\b/g;

/** The displayed literals in a page's code that contain a word in addition to placeholders. */
const shownLiterals = (code: string): string[] =>
  places.flatMap((place) =>
    [...code.matchAll(place)].flatMap(([, text = '']) =>
      /[A-Za-z]{2}/.test(text.replaceAll(/\$\{[^}]*\}+/g, '').replaceAll(international, '')) ? [text] : [],
    ),
  );

/** The file that defines `t` calls it with a variable. */
const isOfPage = (file: string): boolean => /\/(webview|kit)\//.test(file) && !file.endsWith('/l10n.ts');

/** The strings of all calls. A call without a literal has no text to translate. */
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

/** The properties of contribution points that people read. The alias of a language is its name. */
const readable =
  /^(title|shortTitle|category|description|markdownDescription|(markdown)?[eE]numDescriptions|enumItemLabels|deprecationMessage|markdownDeprecationMessage|name|displayName|userDescription|label|contents|altText|contextualTitle)$/;

/** Calls `see` with each string below `value` that people read, and with its path. */
function visit(value: unknown, see: (path: string, text: string) => void, path = 'contributes', isRead = false): void {
  if (typeof value === 'string') {
    if (isRead) see(path, value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const isItem = Array.isArray(value);
      // Only programs read the defaults, even under keys such as `title`.
      if (key !== 'default') visit(inner, see, `${path}.${key}`, isItem ? isRead : readable.test(key));
    }
  }
}
