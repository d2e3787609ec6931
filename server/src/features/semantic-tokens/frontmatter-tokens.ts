/** The values of the frontmatter, of the metadata of artifacts and of a catalog, by what the vocabulary says they are. */
import { findValue, type YamlNode, type YamlScalar } from '../../languages/yaml/node.ts';
import { inner } from '../../rules/common/name-fixes.ts';
import { itemsOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { readToolWords } from '../../skill/tool-words.ts';
import { span } from '../../text.ts';
import { artifactKeys } from '../../vocabulary/artifact-keys.ts';
import { type Domain, type Shape, shapesUnder } from '../../vocabulary/shape.ts';
import { tableOf } from '../../vocabulary/tables.ts';
import { textOf } from '../symbol/scalar-place.ts';
import { schemaOf } from '../symbol/schema-place.ts';
import type { NameKind, NameToken } from './known-names.ts';
import { innerOf, proseTokens } from './scalars.ts';
import { schemaTokens } from './schema-tokens.ts';
import { type Token, token } from './token.ts';

const KIND_OF: Readonly<Partial<Record<Domain, NameKind>>> = {
  skill: 'skill',
  tool: 'tool',
  interrupt: 'interrupt',
  step: 'step',
  template: 'artifact',
};

export function frontmatterTokens(file: SkillFile, ofName: NameToken): readonly Token[] {
  const { text, dialect, contract, frontmatter } = file;
  const declared = [
    ...(contract.name ? [contract.name] : []),
    ...contract.composes.flatMap(({ as }) => (as ? [as] : [])),
  ];
  const { root } = frontmatter.tree;
  return [
    ...(dialect === 'catalog'
      ? listed(root)
      : declared.map(({ span: at }) => token(inner(text, at), 'class', 'declaration'))),
    ...ofTree(file, root, { kind: 'map', keys: tableOf(dialect) }, ofName),
    ...file.metadata.flatMap(({ artifact, tree }) =>
      ofTree(file, tree.root, { kind: 'map', keys: artifactKeys[artifact.kind] }, ofName),
    ),
    ...(dialect === 'agent-skill' ? allowedTools(text, root) : []),
  ];
}

function ofTree(file: SkillFile, root: YamlNode | undefined, shape: Shape, ofName: NameToken): readonly Token[] {
  const tokens: Token[] = [];
  const walk = (node: YamlNode, shapes: readonly Shape[]): void => {
    if (shapes.some(({ kind }) => kind === 'schema')) {
      const schema = schemaOf(file, node);
      const isInput = file.contract.input?.entry.value === node;
      tokens.push(...schemaTokens(file.text, node, schema.form, isInput ? 'parameter' : 'property'));
    } else if (node.kind === 'scalar') tokens.push(...ofScalar(file.text, node, shapes, ofName));
    else if (node.kind === 'list') {
      for (const [index, item] of node.items.entries()) walk(item, shapesUnder(shapes, index));
    } else {
      for (const { key, value } of node.entries) walk(value, shapesUnder(shapes, String(key.value)));
    }
  };
  if (root) walk(root, [shape]);
  return tokens;
}

function ofScalar(text: string, scalar: YamlScalar, shapes: readonly Shape[], ofName: NameToken): readonly Token[] {
  for (const shape of shapes) {
    if (shape.kind === 'choice') {
      const isChoice = shape.choices.some(({ value }) => typeof value === 'string' && value === scalar.value);
      if (isChoice) return [token(innerOf(text, scalar), 'enumMember')];
    }
    if (shape.kind !== 'string' || typeof scalar.value !== 'string') continue;
    if (shape.prose) return proseTokens(text, scalar);
    if (shape.domain === 'effect') return [token(innerOf(text, scalar), 'enumMember')];
    const kind = shape.domain && KIND_OF[shape.domain];
    if (kind) return ofName(kind, textOf(scalar), innerOf(text, scalar));
  }
  return [];
}

/** What a catalog lists, where it is declared. */
function listed(root: YamlNode | undefined): readonly Token[] {
  const names = (key: string) => itemsOf(findValue(root, key), 'name');
  return [
    ...names('tools').map(([{ span: place }]) => token(place, 'function', 'declaration')),
    ...names('interrupts').map(([{ span: place }]) => token(place, 'enumMember', 'declaration')),
  ];
}

/** `Bash(git:*) Read`: the names, without what they are narrowed to. */
function allowedTools(text: string, root: YamlNode | undefined): readonly Token[] {
  const value = findValue(root, 'allowed-tools');
  const scalars = value?.kind === 'list' ? value.items : value ? [value] : [];
  return scalars.flatMap((scalar) => {
    if (scalar.kind !== 'scalar') return [];
    const { start, end } = innerOf(text, scalar);
    const written = text.slice(start, end);
    let at = 0;
    return readToolWords(written).words.flatMap((word) => {
      const begin = start + written.indexOf(word, at);
      at = begin - start + word.length;
      const [name = ''] = /^[\p{L}\p{N}_*.:-]+/u.exec(word) ?? [];
      return name === '' ? [] : [token(span(begin, begin + name.length), 'function', 'defaultLibrary')];
    });
  });
}
