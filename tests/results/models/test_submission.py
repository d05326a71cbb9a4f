from results.models.submission import ID_ALPHABET, ID_LENGTH, draw_public_id


def test_public_ids_have_no_ambiguous_characters():
    drawn = {draw_public_id() for _ in range(200)}
    assert len(drawn) == 200
    assert all(len(public_id) == ID_LENGTH and set(public_id) <= set(ID_ALPHABET) for public_id in drawn)
    assert set("01aeioul").isdisjoint(ID_ALPHABET)
