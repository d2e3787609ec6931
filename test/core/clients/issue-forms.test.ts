/**
 * The forms for issues, checked with the rules of GitHub ("Syntax for issue forms" and "Common validation errors when
 * creating issue forms" in its documentation). GitHub does not show a form with an error.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { clients } from '../../../server/src/clients/facts/clients.ts';

const folder = '.github/ISSUE_TEMPLATE';
const forms = readdirSync(folder).filter((name) => name !== 'config.yml');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

interface Field {
  readonly type: string;
  readonly id?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly validations?: Readonly<Record<string, unknown>>;
}

/** The attributes of each type; a type with a label requires it. */
const ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['markdown', ['value']],
  ['input', ['label', 'description', 'placeholder', 'value']],
  ['textarea', ['label', 'description', 'placeholder', 'value', 'render']],
  ['dropdown', ['label', 'description', 'multiple', 'options', 'default']],
  ['checkboxes', ['label', 'description', 'options']],
]);

const TOP_KEYS = ['name', 'description', 'body', 'title', 'labels', 'assignees', 'projects', 'type'];

/** Returns the keys that a map must not have. */
const others = (map: object, known: readonly string[]): readonly string[] =>
  Object.keys(map).filter((key) => !known.includes(key));

const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

for (const name of forms) {
  describe(`the issue form ${name}`, () => {
    const form = parse(read(name));
    const body: readonly Field[] = form.body;
    const fields = body.filter(({ type }) => type !== 'markdown');

    it('has a name, a description, and only known keys', () => {
      assert.match(name, /^[\w-]+\.yml$/);
      assert.deepEqual(others(form, TOP_KEYS), []);
      for (const text of [form.name, form.description]) assert.ok(typeof text === 'string' && text.trim().length >= 3);
    });

    it('has fields of known types with known attributes', () => {
      assert.ok(fields.length > 0);
      for (const field of body) {
        const known = ATTRIBUTES.get(field.type);
        assert.ok(known, field.type);
        assert.deepEqual(others(field, ['type', 'id', 'attributes', 'validations']), []);
        assert.deepEqual(others(field.attributes, known), [], field.id);
        assert.deepEqual(others(field.validations ?? {}, ['required']), []);
        const text = field.attributes[known[0] ?? ''];
        assert.ok(typeof text === 'string' && text.trim() !== '', field.id);
        for (const [key, value] of Object.entries(field.attributes)) {
          if (key !== 'options') assert.equal(typeof value, 'string', `${field.id}: ${key}`);
        }
        if (field.type === 'markdown') assert.deepEqual([field.id, field.validations], [undefined, undefined]);
      }
    });

    it('has unique identifiers, and labels that differ in more than punctuation', () => {
      const ids = fields.map(({ id = '' }) => id);
      for (const id of ids) assert.match(id, /^[\w-]+$/);
      assert.ok(unique(ids), ids.join());
      const labels = fields.map(({ attributes }) =>
        String(attributes.label)
          .toLowerCase()
          .replace(/[^a-z\d]+/g, '-'),
      );
      assert.ok(unique(labels), labels.join());
    });

    it('has unique options, none of which YAML or GitHub reads differently', () => {
      for (const { attributes } of fields.filter(({ type }) => type === 'dropdown')) {
        const options = attributes.options as readonly unknown[];
        assert.ok(options.length > 0 && unique(options));
        for (const option of options) {
          assert.ok(
            typeof option === 'string' && option.trim() !== '' && option.toLowerCase() !== 'none',
            String(option),
          );
        }
      }
    });
  });
}

describe('the issue form for facts', () => {
  const name = 'fact-is-wrong.yml';

  it('offers every client: UPDATE_EXPECT=1 npm run test:core -- --filter core/clients', () => {
    const options = clients.map((client) => `        - ${client.name} (${client.id})\n`).join('');
    const text = read(name).replace(/( {6}options:\n)(?: {8}- .*\n)+/, (_, key) => key + options);
    if (process.env.UPDATE_EXPECT === '1') writeFileSync(join(folder, name), text);
    const [client] = (parse(read(name)).body as readonly Field[]).filter(({ id }) => id === 'client');
    assert.deepEqual(
      client?.attributes.options,
      clients.map(({ id, name }) => `${name} (${id})`),
    );
  });

  it('gives an existing fact as the example of an identifier', () => {
    const { body } = parse(read(name)) as { readonly body: readonly Field[] };
    const example = String(body.find(({ id }) => id === 'fact')?.attributes.placeholder);
    assert.ok(readFileSync('docs/clients.json', 'utf8').includes(`{"id":"${example}",`), example);
  });
});

it('the chooser of forms allows other issues, and links only to absolute addresses', () => {
  const config = parse(read('config.yml'));
  assert.deepEqual(others(config, ['blank_issues_enabled', 'contact_links']), []);
  assert.equal(config.blank_issues_enabled, true);
  for (const link of config.contact_links) {
    assert.deepEqual(Object.keys(link).sort(), ['about', 'name', 'url']);
    assert.match(link.url, /^https:\/\//);
  }
});

describe('the pages about facts', () => {
  const json = readFileSync('docs/clients.json', 'utf8');

  it('show facts and identifiers that exist', () => {
    for (const page of ['docs/clients.md', 'docs/verifying-facts.md']) {
      const text = readFileSync(page, 'utf8');
      const shown = [...text.matchAll(/^ {4}(\{"id":.*\})$/gm)].map(([, line]) => line);
      for (const line of shown) assert.ok(json.includes(`        ${line}`), line);
      const ids = [...text.matchAll(/[`*]([a-z-]+\/[a-z][\w-]*(?:\.[\w-]+)+)[`*,]/gi)].flatMap(([, id = '']) =>
        clients.some((client) => id.startsWith(`${client.id}/`)) ? [id] : [],
      );
      assert.ok(ids.length > 0, page);
      for (const id of ids) assert.ok(json.includes(`{"id":"${id}",`), `${page}: ${id}`);
    }
  });

  it('state the number of clients', () => {
    const pages = ['README.md', 'CHANGELOG.md', 'client/pipelines/README.md', 'docs/clients.md'];
    const stated = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/\b(\d{2,}) (?:\[?(?:clients|agents)|programs treat)\b/g)].map(
        ([, number]) => Number(number),
      ),
    );
    assert.ok(stated.length >= 3, stated.join());
    for (const number of stated) assert.equal(number, clients.length);
  });

  it('cite sources that the data has', () => {
    const [, table = ''] = /^## Sources\n([\s\S]*?)^## /m.exec(readFileSync('docs/verifying-facts.md', 'utf8')) ?? [];
    const cited = [...table.matchAll(/^\|.*: `([^`]+)`/gm)].map(([, where = '']) => where);
    assert.ok(cited.length >= 4);
    for (const where of cited) assert.ok(json.includes(where), where);
  });
});
