/** Where a target is declared. */

import { pairsOf } from '../../rules/common/data-flow/values.ts';
import { inner } from '../../rules/common/naming-fixes.ts';
import type { SkillDocument } from '../../skill/document.ts';
import { type Span, span } from '../../text.ts';
import { SNAPSHOT_NAME } from '../../workspace/catalog.ts';
import { resolveSkill } from '../../workspace/resolve-skill.ts';
import { skillsNamed, type WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { CatalogDomain, Target } from './target.ts';

/** `document` is undefined for a file that is known by its address alone: the snapshot of tools. */
export interface Declaration {
  readonly uri: string;
  readonly document: SkillDocument | undefined;
  /** The name alone. */
  readonly span: Span;
}

/** Seen from `from`: of several skills of one name the one that it means comes first. */
export function declarationsOf(index: WorkspaceIndex, from: SkillDocument, target: Target): readonly Declaration[] {
  const { documents } = index;
  const at = (document: SkillDocument | undefined, place: Span | undefined): readonly Declaration[] =>
    document && place ? [{ uri: document.uri, document, span: inner(document.text, place) }] : [];
  switch (target.kind) {
    case 'skill': {
      const meant = resolveSkill(index, from, target.name);
      const all = skillsNamed(index, target.name).flatMap(({ uri }) => documents.get(uri) ?? []);
      const sorted = [...all.filter((one) => one.uri === meant?.uri), ...all.filter((one) => one.uri !== meant?.uri)];
      return sorted.flatMap((document) => at(document, document.contract.name?.span));
    }
    case 'catalog': {
      const catalog = catalogAt(index, target.catalog);
      const known = catalog && namesOf(catalog, target.domain)?.get(target.name);
      if (!catalog || !known) return [];
      if (known.span) return at(documents.get(known.uri ?? ''), known.span);
      if (!known.uri) return [];
      return [{ uri: `${catalog.folder}/${SNAPSHOT_NAME}`, document: undefined, span: span(0, 0) }];
    }
    case 'artifact': {
      const document = documents.get(target.uri);
      return (document?.body?.artifacts ?? []).flatMap((artifact) =>
        artifact.name === target.name && (!target.artifactKind || artifact.kind === target.artifactKind)
          ? at(document, artifact.nameSpan ?? artifact.kindSpan)
          : [],
      );
    }
    case 'step': {
      const document = documents.get(target.uri);
      return (document?.contract.composes ?? []).flatMap(({ as }) =>
        as?.name === target.name ? at(document, as.span) : [],
      );
    }
    case 'flow': {
      const document = documents.get(target.uri);
      return (document?.contract.composes ?? []).flatMap((entry) => {
        const mapped = pairsOf(entry.outputMapping);
        const given = mapped.flatMap(({ to, toSpan }) => (to === target.name ? at(document, toSpan) : []));
        if (given.length > 0 || mapped.some(({ from }) => from === target.name)) return given;
        // Without a mapping the flow takes an output under its own name.
        const skill = document && resolveSkill(index, document, entry.name);
        const field = skill?.contract.output?.schema.fields.find(({ name }) => name === target.name);
        return at(skill, field?.keySpan);
      });
    }
    case 'field':
      return at(documents.get(target.uri), target.key);
    case 'local':
      return target.definitions.flatMap((place) => at(documents.get(target.uri), place));
  }
}

type Catalog = NonNullable<ReturnType<typeof catalogAt>>;

/** The catalog of an address; undefined for the empty address, where no catalog governs. */
export const catalogAt = ({ catalogs }: WorkspaceIndex, uri: string) => catalogs.find((one) => one.uri === uri);

export function namesOf(catalog: Catalog, domain: CatalogDomain) {
  switch (domain) {
    case 'tool':
      return catalog.tools;
    case 'scope':
      return catalog.scopes;
    case 'role':
      return catalog.roles;
    case 'profile':
      return catalog.profiles;
    case 'interrupt':
      return catalog.interrupts;
    case 'effect':
      return catalog.effects;
    case 'model':
      return catalog.models;
  }
}
