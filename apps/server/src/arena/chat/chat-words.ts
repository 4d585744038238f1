/**
 * Insults of Nigerian English, Pidgin, Yoruba, Igbo and Hausa, besides the library's English words.
 * "stupid move" and "I go finish you" pass. `chat-filter.ts` folds messages to the same form.
 */

const split = (words: string): readonly string[] => words.trim().split(/\s+/);

/** Blocked as whole words, also in plural, drawn out, or with separated letters. */
export const SPACED_WORDS: readonly string[] = split(`
  fuck fucker fuckers fucking motherfucker motherfucking shit bitch cunt dick dickhead pussy whore slut bastard asshole
  nigger nigga faggot retard idiot wanker blowjob prostitute scumbag jackass dumbass blockhead
  mumu olodo oloshi olosho ashawo ashewo werey barawo daniska oloriburuku
`);

/** Blocked as whole words only: separated they can mean something else ("o de", "he has come"). */
const ENGLISH = split(`
  fck fcuk phuck phuk fuq stfu gtfo mofo biatch fag fags faggy anal anus cum homo lesbo harlot sonofabitch
  moron imbecile imbecilic cretin dullard dunce nitwit idiotic ediot ediat idiat eediot kaffir kys
`);
const PIDGIN = split("ode mugu suegbe ozuor ekuke blokos kpekus asewo akwuna akwunakwuna akunakuna");
const YORUBA = split(`
  olosi oponu apoda didirin didinrin dindinrin arindin agbaya alakori oniranu onisokuso omoale weyre weyrey wehrey wereh
  kobokobo ajeokuta ajokuta
`);
const IGBO = split("efulefu iberibe nzuzu anuofia anuohia anumanu anumpama nyamiri yamiri");
const HAUSA = split(`
  yariska karuwa barauniya barayi sakarai mahaukaci mahaukaciya shashasha uwaka uwaki uwarka uwarki ubanka ubanki dandaudu yanmirin
`);

export const WORDS: readonly string[] = [...SPACED_WORDS, ...ENGLISH, ...PIDGIN, ...YORUBA, ...IGBO, ...HAUSA];

/** Blocked inside any word: no innocent word contains them. */
export const STEMS = split("idiot bastard motherfuck ashawo ashewo oloshi olosho oloribu efulefu");

const YOU = "(you|u|yu|una|unu)";
const YOUR = "(your|ur|yr|ya|yo|una|you)";
const FAMILY = "(papa|mama|father|mother|fada|mada|dad|daddy|mum|mom|mummy|mommy|popsy|mumsy|generation|lineage)";
const PRIVATE = "(toto|nyash|nyansh|yansh|yash|obo|ikpu|breast|pussy|prick|penis|head)";
/** Insults only when a person is called that, not in fool's mate, ewu (danger) or o le (hard). */
const CALLED =
  "(fool|foolish|stupid|useless|senseless|brainless|shameless|worthless|ole|thief|yeye|kolo|dundee|dundee united|wawa|ewu|nkita|shege|banza|animal|monkey|baboon|pig|dog|bush man|bush animal)";
const BAD = "(stupid|foolish|useless|senseless|brainless|shameless|worthless|wretched|yeye|nonsense|bloody|banza)";
const SOMEBODY = "(boy|girl|man|woman|person|pikin|child|human|fool|goat|animal|dog|thing|people|somebody)";
const POWER = "(god|thunder|tunder|tonda|amadioha|sango|shango|ogun|sopona|holy ghost)";
const STRIKE = "(punish|fire|faya|strike|kill|burn|scatter|blast|destroy|roast)";

/** Matched on word boundaries; `^` and `$` are the bounds of the message. */
export const PHRASES: readonly string[] = [
  `${YOU} ((are|r|re|be|dey|don|na|is) )?((a|an|one|such|just|so|very|too|big|real|this|that|bloody|old) ){0,3}${CALLED}`,
  `(youre|ur) ((a|an|such|just|so|very|too|big|real|bloody|old) ){0,3}${CALLED}`,
  `${YOU} (be|na) were`,
  `${BAD} ${SOMEBODY}`,
  "mad (man|woman|person|dog)",
  "^(fool|stupid|foolish|ewu|shege|banza|waka)( o)?$",
  "(coconut head|bush animal|bloody fool|big fool)",
  `${POWER} ((go|will|should|fit) )?${STRIKE} ${YOU}`,
  `${POWER} ((go|will|should|fit) )?${STRIKE} ${YOUR} (${FAMILY}|mouth|head|family|house)`,
  "amadioha (gbagbukwa|gbagbue|gbagbuo|magbukwa|magbue|kpagbue) gi",
  `(may|make) ${YOU} die`,
  `${YOU} (go|will) die (young|like|soon|for road)`,
  "^((oya|abeg|just|please) )?go (and )?die",
  "(kill|hang) (yourself|urself|yourselves)",
  "(go to|rot in|burn in) hell",
  "drop dead",
  "suck my",
  `^((na|waka|fuck) )?${YOUR} ${FAMILY}( (there|like that|o))?$`,
  `(insult|curse|waka|knack|nack) ${YOUR} ${FAMILY}`,
  `${YOUR} ${FAMILY} ${PRIVATE}`,
  `${YOUR} (toto|pussy|blokos|kpekus)`,
  "^(iya|baba) (e|re)$",
  "(obo|oko) (iya|baba) (e|re)",
  "^(nne|nna) gi$",
  "(ikpu|ike|otu) nne gi",
  "amu nna gi",
  "uwar (ka|ki)",
  "uban (ka|ki)",
  "(gindin|durin|bura|burar|kutuma|kutumar) (uwa|uba|uwar|uban)",
  "were (ni e|ni o|dey disguise|alaso)",
  "(omo|bi) were",
  "omo (ale|ole)",
  "ole (ni e|lo je|buruku|barawo)",
  "olori buruku",
  "ori (e|re|yin) (o pe|ti baje|ti daru)",
  "ngbati ngbati",
  "kobo kobo",
  "onye (ara|oshi|ohi|nzuzu|iberibe)",
  "anu (ofia|ohia|mpama|mpam)",
  "ewu (gambia|hausa|awusa)",
  "(dan|yar|yan) (iska|banza)",
  "dan (shege|daudu)",
  "shege banza",
  "kai (wawa|jaki|kare|dabba|dolo|banza|shege)",
];

/** Innocent phrases that match above, removed first. The library has its own such list. */
export const ALLOWED_PHRASES: readonly string[] = [
  "mum u",
  "cum laude",
  "(an|the|this|my) ode",
  "ode to",
  "(ijebu|igbara|owo) ode",
  "ode (omu|remo|irele|aye)",
  "homo (sapiens|erectus)",
  "fools mate",
  "(isi|ofe|anu|nama) ewu",
  `(show|shown) ${YOU} shege`,
];

/**
 * Removed from the library's English words: Yoruba words and names, and words found in too many
 * innocent ones. Four of them are blocked above as whole words.
 */
export const LEFT_OUT: readonly string[] = ["abo", "kike", "fag", "anal", "anus", "cum"];

/** Parts of innocent words that the library's English words do not know. */
export const LIBRARY_ALLOWED: readonly string[] = [
  ...split("dickson dickinson dickey shittu shitta shitu titta titti fukush fukuo fukui semeno semeny georgy georgie"),
  ...["f ck", "nig ltd"],
  ...split("assort assyri assay cockpit predict dictat"),
];
