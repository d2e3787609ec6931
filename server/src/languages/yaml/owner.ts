export { mapsByKeyOffset as mapsOfKeys } from './node.ts';
