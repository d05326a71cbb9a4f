"""Names as people type them find the right product of the shipped catalogue."""

import pytest

from results.models import Product
from results.search.products import find_products

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]

NAMES = """
    P4800X=intel-optane-p4800x, optane dc p4800x=intel-optane-p4800x, intel optane p4800x=intel-optane-p4800x
    P4800X 375GB=intel-optane-p4800x, P1600X=intel-optane-p1600x, s3700=intel-dc-s3700
    Intel SSD DC S3700 400GB=intel-dc-s3700, 900p=intel-optane-900p, Intel Optane 905P=intel-optane-905p
    zeusram=stec-zeusram, Zeus RAM=stec-zeusram, hgst zeusram=stec-zeusram, sm863a=samsung-sm863
    pm1725=samsung-pm1725, PM1725b=samsung-pm1725, dc1500m=kingston-dc1500m, kingston dc500m=kingston-dc500
    optane m10 16gb=intel-optane-m10, p5801x=intel-optane-p5800x, logzilla=stec-zeusiops, i-ram=gigabyte-i-ram
    RMS200=radian-rms-200, x25-e=intel-x25-e, Intel 710 series=intel-710, lyndonville=intel-710
    micron 5300=micron-5300, 5300 max=micron-5300-max, 970 evo plus=samsung-970-evo
    wd_black sn850x=wd-black-nvme-gen4
    SN700=wd-red-sn700, wd sn640=wd-sn640, wd hc550=ultrastar-dc-hc550, toshiba cd6=kioxia-cd6, px05s=toshiba-px05s
    samsung 980=samsung-980, 980=samsung-980, nvvault=netlist-nvdimm, ironwolf 525=seagate-ironwolf-nvme
    NV1604=pmc-flashtec-nvram, arbordale plus=solidigm-d7-p5500-p5600, pm9a3=samsung-pm9a3
"""
PART_NUMBERS = """
    SSDPED1D280GA=intel-optane-900p, ssdped1d280ga=intel-optane-900p, INTEL SSDPED1D280GA=intel-optane-900p
    SSDPED1D480GASX=intel-optane-900p, SSDPEK1A058GA01=intel-optane-p1600x, SSDSC2BA400G3=intel-dc-s3700
    KXG60ZNV256G=toshiba-xg6, SEDC1500M960G=kingston-dc1500m, SEDC500R/480G=kingston-dc500
    4XB7A17062=samsung-pm1643a, 4ZC7A15110=intel-optane-pmem, 0TS1305=hgst-sn200, MZ-V7E500BW=samsung-970-evo
    mz7km480=samsung-sm863, CT1000MX500SSD1=crucial-mx500, MEMPEK1J032GAXT=intel-optane-m10
"""
REPLACED = """
    p480ox=intel-optane-p4800x, p16o0x=intel-optane-p1600x, s37oo=intel-dc-s3700, 9o0p=intel-optane-900p
    zeuzram=stec-zeusram, sn863a=samsung-sm863, pn1725=samsung-pm1725, dc1500n=kingston-dc1500m
    micrun 5300=micron-5300, optabe 900p=intel-optane-900p
"""
# Names and part numbers of the catalogue with two letters swapped, one left out, one typed twice, or moved blanks.
SWAPPED = """
    Kioxia DC6=kioxia-cd6, micron 2510=micron-5210, veretx 4=ocz-vertex3-4, Samusng SM863a=samsung-sm863
    mz-73l48000=samsung-pm893, segaate exos 7e8=seagate-exos-7e, ZP1000C3MA001=seagate-firecuda-nvme
    seagate firceuda 3.5=seagate-firecuda-35-hdd, sdssc2kb480g801=intel-d3-s4510
    MZ-775E00B/EU=samsung-860-870-evo, mz-76pt40bw=samsung-860-pro, pm88a3=samsung-pm883
    SSDSC2WK240H6X1=intel-540s-545s, 5100 rpo=micron-5100, mz-7ke265bw=samsung-850-pro
    Western Digitla HC570=ultrastar-dc-hc555-hc580, ct128m550sds1=crucial-m500-m550
    itnel s4520=intel-d3-s4520-s4620, WDS500GX3HC=wd-black-nvme-gen3, ntyro 5000=seagate-nytro-5000
    p3060=intel-dc-p3600, Crucail P3=crucial-p1-p2-p3, mz-v9pt10gw=samsung-980-990-pro
    mz-761qt0bw=samsung-qvo, Intel P4081X=intel-optane-p4801x, samsung 854dc evo=samsung-845dc-evo
    hw3e6p43=huawei-hwe-nvme, 60p0=intel-600p-670p, mz-ve72t0bw=samsung-970-evo
    mhzpv128hdgm-00000=samsung-sm951-ahci, P480X0=intel-optane-p4800x, intel 3p520=intel-dc-p3520
    wds100tr10a=wd-red-sa500, Mircon P300=micron-p300, ct1000xm500ssd1=crucial-mx500
    vretex 2 ex=ocz-vertex2-pro-ex, P300-MTFDDAC100ASL=micron-p300, hgst huh72121a2le600=ultrastar-dc-hc520
    toshiba mg04aca040n=toshiba-mg03-mg05, 18ASF2G72PF12GV621AB=micron-nvdimm-n
    micron_9300_tmfdhal3t8tdp=micron-9300, sasmung ssd 870 evo 1tb=samsung-860-870-evo
    ST95050620AS=seagate-momentus-xt, samsung ssd 908 pro 1tb=samsung-980-990-pro
    kingston sedc4509r60g=kingston-dc450r, CT050MX500SSD1=crucial-mx500
    toshiab mq02abf050h-sshd-8gb=toshiba-mq-sshd, intel ssdpf2nv135tz=intel-d5-qlc
    SEAGATE XS6100LE70084=seagate-nytro-3x32, wdc wds50g02b0c-00pxh0=wd-blue-nvme
    st4000nm0033-9zm107=seagate-enterprise-capacity, INETL SSDSC2KW512G8=intel-540s-545s
"""
LEFT_OUT = """
    mz-77e10b=samsung-860-870-evo, ct275x300ssd1=crucial-mx300, M100=crucial-mx100-mx200
    d s4500=intel-dc-s4500, sssc2kb076tz1z=intel-d3-s4520-s4620, MZ-V8V500W/AM=samsung-980
    pm1633=samsung-pm1633, s850=wd-black-nvme-gen4, Intel 320 Serie=intel-320, m-v8v1t0bw=samsung-980
    hgs c15k=ultrastar-sas-10k, P1643=samsung-pm1643, px03s=toshiba-px02-px03, p1633=samsung-pm1633
    Smsung PM1643=samsung-pm1643, mz-v7s250w=samsung-970-evo, ssdsa2s064g101=intel-x25-e
    SSDSC2B400G301=intel-dc-s3700, ct500m500ssd4=crucial-mx500, hgst ultrasta 7k2=ultrastar-dc-hc310-hc330
    M-77Q1T0B=samsung-qvo, x1715=samsung-xs1715, inte optane 900p=intel-optane-900p, P5800=intel-optane-p5800x
    860 dc=samsung-860-dct, mcron 5100=micron-5100, SSSA2BZ300G301=intel-710, 4b7a17063=samsung-pm1643a
    ultrasar dc sn630=wd-sn630, Nyto 3732=seagate-nytro-3x32, sed1000bm8/240g=kingston-dc1000b
    nyro 3331=seagate-nytro-3x31, Ultrasar SS200=hgst-ss200, ct20002ssd8=crucial-p1-p2-p3, 5400 ax=micron-5400
    micron_5100_mtfdak480tcb=micron-5100, wd rd sn700 500gb=wd-red-sn700, ST16000N001G-2KK103=seagate-exos-x16
    samsung mzpl1t6hbjr-00007=samsung-pm1733-pm1735, wd wd40efrx-68n32n0=wd-red-plus
    Samsug SSD 970 PRO 512GB=samsung-970-pro, kingsto sedc600m480g=kingston-dc600m
    st8000as0002-1a17z=seagate-archive, TOHIBA PX02SSF040=toshiba-px02-px03
    hgst hu726t4tala6l4=ultrastar-dc-hc310-hc330, kingstn sedc500m960g=kingston-dc500
    ST1000M014-1EJ164=seagate-laptop-sshd, samsung mzqlw960hmp-00003=samsung-pm963, wu4bb019d7p3e1=wd-sn640
    INTEL SSDSC2KB4807=intel-dc-s4500, samung ssd 970 evo plus 500gb=samsung-970-evo
"""
DOUBLED = """
    tooshiba px02sm=toshiba-px02-px03, MZ-750500BWW=samsung-850-evo, dc15000m=kingston-dc1500m
    ssdpecme0322t401=intel-dc-p3608-p4608, WDSS500G3B0E-00CHF0=wd-blue-nvme, mmz-75e120bw=samsung-850-evo
    hkk4r=toshiba-hk4, M5500DC=micron-m500dc, 7ee10=seagate-exos-7e, kingston dc6600m=kingston-dc600m
    Crrucial T700=crucial-p5-t500-t700, iintel ssd 320 series=intel-320, p43220=intel-d5-qlc
    P37000=intel-dc-p3700, intel dc ss3700=intel-dc-s3700, mz-7ke512bbw=samsung-850-pro
    MZ-7GE9960EW=samsung-845dc-evo, pp1600x=intel-optane-p1600x, dc ss3610=intel-dc-s3610
    SSDPEE21D960GAM3=intel-optane-905p, ttoshiba dt01=toshiba-desktop, 950 ppro=samsung-950-pro
    Samsung PM8993=samsung-pm893, mz-7te1220bw=samsung-840-evo, zp40000gm30023=seagate-firecuda-nvme
    4XB7A177065=samsung-pm1643a, p45000=intel-dc-p4500, mz-7pc1288n=samsung-830
    SSDSC2KF3600H6X1=intel-540s-545s, aal13=toshiba-al-sas, ct500bx1000ssd1=crucial-bx
    WD Redd SA500=wd-red-sa500, samsung ppm1733=samsung-pm1733-pm1735
    ironwollf pro 125=seagate-ironwolf-sata-ssd, MZ-76P1T0BWW=samsung-860-pro, intel ssdsc2bp480gg4=intel-730
    Seagate FFireCuda 530 ZP4000GM30023=seagate-firecuda-nvme, micron_p4000e-mtfddak400mar=micron-p400
    m44-ct256m4ssd2=crucial-m4, Samsung SSD 840 EVO 250GBB=samsung-840-evo
    inntel ssdpf2kx076t1=solidigm-d7-p5520-p5620, ssdsa2sh032g1gn inttel=intel-x25-e
    SAMSUNG MZ7LH480HAAHQ-00005=samsung-pm883, samsung mz7lm480hchp-000003=samsung-pm863
    intel ssdsa2bz2200g3=intel-710, KXD51RUEE960G TOSHIBA=kioxia-cd5-xd5
    kingston sedc400s377960g=kingston-dc400, st2000dx001-1cm1164=seagate-desktop-sshd
    KINGSTON SEDC1500M33840G=kingston-dc1500m, inteel ssdpe2kx040t8=intel-dc-p4510
    cct500p5ssd8=crucial-p5-t500-t700
"""
MOVED_BLANKS = """
    CT-2000T700SSD3=crucial-p5-t500-t700, vtx4-25sat3-128g=ocz-vertex3-4
    hgst  ultrastarhe12=ultrastar-dc-hc520, SSDSC-2BX200G401=intel-dc-s3610, kioxiaxg6=toshiba-xg6
    samsung  845dc  pro=samsung-845dc-pro, 960pro=samsung-960-pro, sn-260=hgst-sn200
    MZVPV128HDGM 00000=samsung-sm951, pm 951=samsung-sm951, wds-200t3b0e=wd-blue-nvme
    Samsung950  Pro=samsung-950-pro, ssdsc 2bw180a401=intel-520-530, crucial  m500=crucial-m500-m550
    MZ  V9P4T0CW=samsung-980-990-pro, dt 01=toshiba-desktop, samsung 840=samsung-840-evo
    DC 500=kingston-dc500, mtfddak7t6tga  1bc16abyy=micron-5400, intel510=intel-510
    Intel  S4500=intel-dc-s4500, optane ssd  900p=intel-optane-900p, ct-525mx300ssd1=crucial-mx300
    SSDPECME 040T401=intel-dc-p3608-p4608, mz v6e250bw=samsung-960-evo, optane  905p=intel-optane-905p
    CT-512MX100SSD1=crucial-mx100-mx200, ssd 800mh=hgst-ssd800, ssdpeknw-010t801=intel-600p-670p
    DC 500R=kingston-dc500, dc  s4510=intel-d3-s4510, sz-983=samsung-983-zet, WDS 200T1XHE=wd-black-nvme-gen4
    983zet=samsung-983-zet, WDCWD40EFAX 68JH4N1=wd-red-smr, st16000ne000  2rw103=seagate-ironwolf-pro
    seagatest1200mm0088=seagate-sas-10k-15k, ST4000DM0001F2168=seagate-barracuda
    hgst hus726060ale614=ultrastar-7k, samsungmzpjb960hmgc0bw07=samsung-983-zet
    SDLF1DAR480G  1HA1=sandisk-cloudspeed, seagatexs800le70004=seagate-nytro-3x31
    samsung ssd 845dcevo  960gb=samsung-845dc-evo, crucial_ct-525mx300ssd1=crucial-mx300
    apaceras340 480gb=apacer-as340, TOSHIBAPX05SMB080Y=toshiba-px05s, wdc-wuh721414ale6l4=ultrastar-dc-hc530
    toshiba  px04smb080=toshiba-px04s
"""


def cases(block):
    return [tuple(part.strip().split("=")) for part in block.replace("\n", ",").split(",") if part.strip()]


def found_slugs(text):
    return slugs_of(find_products(text).ids)


def slugs_of(ids):
    slugs = dict(Product.objects.filter(pk__in=ids).values_list("pk", "slug"))
    return [slugs[pk] for pk in ids]


def test_a_name_finds_its_product_first(subtests):
    for text, slug in cases(NAMES + PART_NUMBERS):
        with subtests.test(text=text):
            assert found_slugs(text)[0] == slug


def test_a_name_with_a_wrong_letter_finds_its_product_among_the_first():
    typed = cases(REPLACED)
    misses = [text for text, slug in typed if slug not in found_slugs(text)[:5]]
    assert len(misses) <= 0.1 * len(typed), misses


def test_misspelled_names_find_their_product_first_in_95_of_100():
    typed = cases(SWAPPED + LEFT_OUT + DOUBLED + MOVED_BLANKS)
    assert len(typed) >= 200
    wrong = [(text, slug) for text, slug in typed if found_slugs(text)[:1] != [slug]]
    assert len(wrong) <= 0.05 * len(typed), wrong


def test_part_number_finds_its_product_with_any_customer_suffix(subtests):
    for part, slug in [
        ("MZVLB512HAJQ", "samsung-pm981-pm9a1"),
        ("MZ7KM480HMHQ", "samsung-sm863"),
        ("samsung MZQLB960HAJR", "samsung-pm983"),
        ("MZHPV512HDGL", "samsung-sm951-ahci"),
        ("MZPLL3T2HMLS", "samsung-pm1725"),
        ("MTFDHBG1T9TDF", "micron-7300"),
    ]:
        for made_for in ["", "-00000", "-000L7", "-000h1", "-0BW07", "-1AW1ZABYY"]:
            with subtests.test(part=part, made_for=made_for):
                found = find_products(f"{part}{made_for}")
                assert found.match == Product.objects.get(slug=slug).pk


def test_customer_suffix_of_an_unknown_part_finds_nothing(subtests):
    for text in ["MZ7LN256HAJQ-000H1", "MZNLN256HMHQ-000H1", "kingston-0dc50", "P300-000L7"]:
        with subtests.test(text=text):
            assert find_products(text).match is None


def test_shared_name_lists_all_its_products_first(subtests):
    for text, slugs in [
        ("P300", {"micron-p300", "toshiba-desktop"}),
        ("wd red", {"wd-red-plus", "wd-red-smr"}),
        ("p3000", {"micron-p300", "toshiba-desktop"}),
        ("optane 16gb", {"intel-optane-m10", "intel-optane-memory"}),
        ("optane 58gb", {"intel-optane-800p", "intel-optane-p1600x"}),
    ]:
        with subtests.test(text=text):
            assert set(found_slugs(text)[:2]) == slugs


def test_unknown_text_finds_nothing(subtests):
    for text in ["zfs slog", "%", "_", "qqqqqqqq", "'; DROP TABLE x; --", "\\", "—"]:
        with subtests.test(text=text):
            assert found_slugs(text) == []


def test_alias_finds_its_product_or_all_that_share_it():
    lost = []
    for slug, name, aliases in Product.objects.values_list("slug", "name", "aliases"):
        for text in (name, *aliases):
            found = find_products(text)
            slugs = slugs_of(found.ids if found.is_shared else found.ids[:1])
            if slug not in slugs:
                lost.append((text, slug, slugs))
    assert lost == []


def test_full_name_matches_its_product(client, subtests):
    for text in ["p4800x", "SSDPED1D280GA", "micron 5300"]:
        with subtests.test(text=text):
            response = client.get("/search/", {"q": text})
            assert (response.status_code, response["Location"]) == (302, f"/products/{found_slugs(text)[0]}/")


def test_shared_name_is_listed_without_a_redirect(client):
    response = client.get("/search/", {"q": "optane 16gb"})
    assert (response.status_code, response.context["is_shared"]) == (200, True)
    assert {card.url for card in response.context["cards"]} == {
        "/products/intel-optane-m10/",
        "/products/intel-optane-memory/",
    }


def test_the_beginning_of_a_model_finds_its_products_alone():
    assert found_slugs("p48") == ["intel-optane-p4800x", "intel-optane-p4801x"]


def test_a_question_isn_t_taken_for_a_misspelled_name(client):
    response = client.get("/search/", {"q": "cheap used enterprise ssd"})
    assert response.context["products"] == []
    assert "Did you mean" not in response.text
    assert '<a href="/shortlist/?condition=used#answer">' in response.text
