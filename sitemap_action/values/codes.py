"""The lists of words that values are held against (regions, languages, frequencies), and what is written instead."""

from __future__ import annotations

import re
from collections.abc import Iterator


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Those of `<changefreq>`, from often to never.
FREQUENCIES = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")

# ISO 3166-1 alpha-2, officially assigned.
REGIONS = _set(
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
    GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT
    JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY
    MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM
    PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX
    SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
    """
)

# ISO 639-1; `sh` and `bh` were withdrawn from it and are still in use.
LANGUAGES = _set(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz
    ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu
    ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my
    na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw
    sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty
    ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """
)

# ISO 639-2 (both of its lists), then the ISO 639-3 codes that turn up in practice.
LANGUAGES_3 = _set(
    """
    aar abk ace ach ada ady afa afh afr ain aka akk alb ale alg alt amh ang anp apa ara arc arg arm arn arp art arw asm
    ast ath aus ava ave awa aym aze bad bai bak bal bam ban baq bas bat bej bel bem ben ber bho bih bik bin bis bla bnt
    bod bos bra bre btk bua bug bul bur byn cad cai car cat cau ceb cel ces cha chb che chg chi chk chm chn cho chp chr
    chu chv chy cmc cnr cop cor cos cpe cpf cpp cre crh crp csb cus cym cze dak dan dar day del den deu dgr din div doi
    dra dsb dua dum dut dyu dzo efi egy eka ell elx eng enm epo est eus ewe ewo fan fao fas fat fij fil fin fiu fon fra
    fre frm fro frr frs fry ful fur gaa gay gba gem geo ger gez gil gla gle glg glv gmh goh gon gor got grb grc gre grn
    gsw guj gwi hai hat hau haw heb her hil him hin hit hmn hmo hrv hsb hun hup hye iba ibo ice ido iii ijo iku ile ilo
    ina inc ind ine inh ipk ira iro isl ita jav jbo jpn jpr jrb kaa kab kac kal kam kan kar kas kat kau kaw kaz kbd kha
    khi khm kho kik kin kir kmb kok kom kon kor kos kpe krc krl kro kru kua kum kur kut lad lah lam lao lat lav lez lim
    lin lit lol loz ltz lua lub lug lui lun luo lus mac mad mag mah mai mak mal man mao map mar mas may mdf mdr men mga
    mic min mis mkd mkh mlg mlt mnc mni mno moh mon mos mri msa mul mun mus mwl mwr mya myn myv nah nai nap nau nav nbl
    nde ndo nds nep new nia nic niu nld nno nob nog non nor nqo nso nub nwc nya nym nyn nyo nzi oci oji ori orm osa oss
    ota oto paa pag pal pam pan pap pau peo per phi phn pli pol pon por pra pro pus que raj rap rar roa roh rom ron rum
    run rup rus sad sag sah sai sal sam san sas sat scn sco sel sem sga sgn shn sid sin sio sit sla slk slo slv sma sme
    smi smj smn smo sms sna snd snk sog som son sot spa sqi srd srn srp srr ssa ssw suk sun sus sux swa swe syc syr tah
    tai tam tat tel tem ter tet tgk tgl tha tib tig tir tiv tkl tlh tli tmh tog ton tpi tsi tsn tso tuk tum tup tur tut
    tvl twi tyv udm uga uig ukr umb und urd uzb vai ven vie vol vot wak wal war was wel wen wln wol xal xho yao yap yid
    yor ypk zap zbl zen zgh zha zho znd zul zun zxx zza

    acf acm acq aeb afb aii ajp als apc apd arb arq ars ary arz ase ayl azb azj bar bcc bew bfi bgn bjn brh bzs cdo ciw
    cjy ckb cmn cpx csl czh czo dag diq ekk ext fsl fuf fuv gag gan gcr glk gom gsg hak hbo hbs hif hne hno hsn jam jsl
    kea khk kiu kmr kpv ksh lij lld lmo lrc ltg lvs lzh lzz mey mfe mhr mnp mrj mvf mzn nan npi ory pcd pcm pes plt pms
    pnb pnt prs quc qug quy quz qvi rcf rgn rif rmy rsl rue ryu sck sdc sdh sgs shi shy skr sli srm ssp stq swc swg swh
    szl tcy tly tok tru tsd tzm uzn uzs vec vep vls vmf vro wuu xmf ydd yue zea zlm zsm
    """
)

# ISO 15924.
SCRIPTS = _set(
    """
    Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Berf Bhks Blis Bopo Brah Brai Bugi Buhd Cakm
    Cans Cari Cham Cher Chis Chrs Cirt Copt Cpmn Cprt Cyrl Cyrs Deva Diak Dogr Dsrt Dupl Egyd Egyh Egyp Elba Elym Ethi
    Gara Geok Geor Glag Gong Gonm Goth Gran Grek Gujr Gukh Guru Hanb Hang Hani Hano Hans Hant Hatr Hebr Hira Hluw Hmng
    Hmnp Hntl Hrkt Hung Inds Ital Jamo Java Jpan Jurc Kali Kana Kawi Khar Khmr Khoj Kitl Kits Knda Kore Kpel Krai Kthi
    Lana Laoo Latf Latg Latn Leke Lepc Limb Lina Linb Lisu Loma Lyci Lydi Mahj Maka Mand Mani Marc Maya Medf Mend Merc
    Mero Mlym Modi Mong Moon Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkdb Nkgb Nkoo Nshu Ogam Olck Onao Orkh Orya
    Osge Osma Ougr Palm Pauc Pcun Pelm Perm Phag Phli Phlp Phlv Phnx Piqd Plrd Prti Psin Ranj Rjng Rohg Roro Runr Samr
    Sara Sarb Saur Seal Sgnw Shaw Shrd Shui Sidd Sidt Sind Sinh Sogd Sogo Sora Soyo Sund Sunu Sylo Syrc Syre Syrj Syrn
    Tagb Takr Tale Talu Taml Tang Tavt Tayo Telu Teng Tfng Tglg Thaa Thai Tibt Tirh Tnsa Todr Tols Toto Tutg Ugar Vaii
    Visp Vith Wara Wcho Wole Xpeo Xsux Yezi Yiii Zanb Zinh Zmth Zsye Zsym Zxxx Zyyy Zzzz
    """
)

X_DEFAULT = "x-default"
# What is written for a language, and what was meant: regions, English names, three letters.
_MEANT = dict(
    re.findall(
        r"(\S+):(\S+)",
        """
    us:en-US gb:en-GB au:en-AU nz:en-NZ jp:ja cn:zh gr:el dk:da cz:cs vn:vi ua:uk rs:sr iw:he ji:yi mx:es-MX
    at:de-AT hk:zh-HK eng:en ger:de deu:de fre:fr fra:fr spa:es ita:it por:pt rus:ru dut:nl nld:nl pol:pl chi:zh zho:zh
    jpn:ja kor:ko ara:ar tur:tr swe:sv english:en german:de deutsch:de french:fr spanish:es italian:it portuguese:pt
    russian:ru dutch:nl polish:pl chinese:zh japanese:ja korean:ko default:x-default xdefault:x-default
    """,
    )
)


def likely_meant(code: str) -> Iterator[str]:
    """Repairs of a wrong hreflang to try, the likeliest first; not all of them are codes."""
    language, *rest = [part for part in re.split("[-_]", code.lower()) if part] or [""]
    yield _spelled(language, rest)
    if rest and (rest[0] == language or rest[0].isdigit()):
        yield language
    yield _spelled(language, ["gb" if part == "uk" else part for part in rest])
    yield _spelled(language, rest[::-1])
    if len(rest) == 1:
        yield _spelled(rest[0], [language])
        yield _spelled(language, [{"chs": "hans", "cht": "hant"}.get(rest[0], "")])
    meant = _MEANT.get(language, "")
    yield _spelled(meant[:2], rest) if rest else meant


def _spelled(language: str, rest: list[str]) -> str:
    """The usual case of each part: language, Script, REGION."""
    code = "-".join([language, *(part.title() if len(part) == len("Latn") else part.upper() for part in rest)])
    return X_DEFAULT if code.lower() == X_DEFAULT else code
